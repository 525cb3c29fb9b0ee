// Australian, New Zealand and a few foreign racing venues, as data only. One venue per comma:
// `Name=other spelling=other spelling@site`. A line starts with the codes raced there (T horse, H harness, G
// greyhound); `venue_id` is the slug of the name. A line of two words is a country (ISO 3166) and a state. Sponsor
// names and words such as Racecourse or Synthetic are folded by `venue.ts`, never listed here. A course that some books
// name and some leave out (Sandown Hillside, Beaumont, Acton) is another spelling of its venue; a course that every
// book names (Kensington, Caulfield Heath, Q Straight) is a venue of its own at the same site.

export const VENUE_TABLE = `
AU NSW
T Ardlethan, Ballina, Balranald, Bega=Sapphire Coast, Berrigan, Bingara, Binnaway, Bombala, Bong Bong, Bourke, Bowraville, Braidwood
T Brewarrina, Canterbury, Carinda, Carrathool, Cessnock, Cobar, Coffs Harbour=Coffs, Collarenebri, Collie NSW, Come By Chance
T Condobolin, Cooma, Coonabarabran, Corowa, Crookwell, Deepwater, Deniliquin, Enngonia, Geurie, Gilgandra, Glen Innes, Grenfell
T Gulargambone, Gulgong, Gundagai, Gundy, Harden, Hawkesbury, Hay, Hillston, Holbrook, Inverell, Jerilderie
T Kembla Grange=Kembla=Illawarra, Kensington=Randwick Kensington=Kensington Randwick@randwick, Lightning Ridge, Lockhart, Louth, Mallawa
T Mendooran, Merriwa, Moruya, Moulamein, Mungery, Mungindi, Murwillumbah, Narrandera=Narrandera Grong Grong, Narromine
T Nyngan, Pooncarie, Port Macquarie, Quambone, Queanbeyan, Quirindi, Randwick=Royal Randwick, Rosehill, Scone, Talmoi, Tocumwal
T Tomingley, Tottenham, Trangie, Trundle, Tullamore, Tullibigeal, Tumbarumba, Tumut, Walcha, Walgett, Wallabadah, Wanaaring, Warialda
T Warren, Warwick Farm, Wean, Wellington, Wentworth, White Cliffs, Wilcannia, Yass
TH Leeton, Parkes, Griffith, Forbes, Orange, Blayney, Eugowra, Canowindra, Coolamon, Cootamundra, Albury
THG Armidale, Bathurst, Broken Hill, Cowra, Dubbo, Goulburn, Muswellbrook, Newcastle=Broadmeadow=Beaumont=Beaumont Newcastle=Newcastle Beaumont
THG Nowra=Shoalhaven, Tamworth, Wagga=Wagga Wagga, Young, Wyong
TG Casino, Coonamble, Gosford, Grafton, Gunnedah, Kempsey, Lismore, Moree, Mudgee, Narrabri, Taree=Taree Wingham=Manning, Wauchope
H Bankstown, Fairfield, Junee, Menangle=Club Menangle, Peak Hill, Penrith, West Wyalong
HG Maitland, Temora
G Appin, Bulli, Dapto, Lithgow, Potts Park, Singleton, The Gardens=Gardens, Tweed Heads, Wentworth Park=Wentworth
G Richmond=Richmond Rir, Richmond Straight=Richmond Ris=Richmond Str@richmond
AU ACT
THG Canberra=Canberra Acton=Acton=Thoroughbred Park=Symonston
AU VIC
T Alexandra, Apsley, Avoca, Balnarring, Bairnsdale, Benalla, Buchan, Burrumbeet, Camperdown, Casterton, Caulfield
T Caulfield Heath=Heath@caulfield, Colac, Coleraine, Dederang, Drouin, Dunkeld, Edenhope, Flemington, Great Western, Hanging Rock
T Hinnomunjie, Jericho VIC, Kyneton, Lakes Entrance, Manangatang, Mansfield, Merton, Moe, Moonee Valley=The Valley=Mvrc, Mornington
T Mortlake, Murtoa, Nhill, Omeo, Pakenham, Penshurst, Sandown=Sandown Hillside=Sandown Lakeside=Hillside=Lakeside, Seymour, Stony Creek
T Swifts Creek, Tambo Valley, Tatura, Towong, Traralgon, Werribee, Wodonga, Woolamai, Wycheproof=Mount Wycheproof, Yea
TH Ararat, Donald, Echuca, Gunbower, Hamilton, Kerang, Kilmore, Mildura, St Arnaud, Stawell, Swan Hill, Terang, Wangaratta, Warracknabeal
TH Yarra Valley=Yarra Glen
THG Ballarat=Dowling Forest=Bray, Bendigo=Lords, Cranbourne, Geelong, Horsham, Sale, Healesville
TG Warrnambool
HG Shepparton, Warragul
H Birchip, Boort, Charlton, Cobram, Elmore, Maryborough, Melton, Nyah, Ouyen, Robinvale, Wedderburn
G Meadows=The Meadows=Broadmeadows Meadows, Sandown Park=Sandown=Springvale, Traralgon
AU QLD
T Alpha, Aramac, Atherton, Augathella, Barcaldine, Beaudesert, Bedourie, Bell, Betoota, Birdsville, Blackall, Bluff, Boulia, Bowen
T Burrandowan, Camooweal, Charleville, Charters Towers, Chillagoe, Chinchilla, Clermont, Clifton, Cloncurry, Cooktown, Corfield, Cunnamulla
T Dalby, Doomben, Duaringa, Eagle Farm, Eidsvold, Einasleigh, Emerald, Esk, Eulo, Ewan, Flinton, Gatton, Gayndah, Georgetown, Gladstone
T Goondiwindi, Gordonvale, Gympie, Home Hill, Hughenden, Ilfracombe, Ingham, Injune, Innisfail, Isisford, Jandowae, Jericho, Julia Creek
T Jundah, Kilcoy, Kilkivan, Kumbia, Laura, Longreach, Mareeba, Maxwelton, McKinlay, Middlemount, Mingela, Mitchell, Monto, Moranbah, Morven
T Mount Garnet, Mount Isa, Mount Perry, Muttaburra, Nanango, Nebo, Noccundra, Noorama, Normanton, Oak Park, Pentland, Prairie, Quamby
T Quilpie, Richmond QLD=Richmond, Roma, Sedan Dip, Springsure, St George, Stamford, Stonehenge, Surat, Talwood, Tambo, Tara, Taroom
T Sunshine Coast=Corbould Park=Caloundra, Thangool, Theodore, Tower Hill, Twin Hills, Wandoan, Warra, Warwick=Allman Park
T Windorah, Winton QLD=Winton, Wondai, Wyandra, Yaraka, Yeppoon
THG Rockhampton=Callaghan Park, Townsville=Cluden=Cluden Park, Toowoomba=Clifford Park, Mackay=Ooralea
TH Gold Coast=Bundall
TG Bundaberg, Cairns=Cannon Park, Ipswich=Bundamba
H Marburg, Redcliffe
HG Albion Park=The Creek
G Capalaba, Q1 Lakeside=Q1=Q Lakeside=The Q1@the-q, Q2 Parklands=Q2=Q Parklands=The Q2@the-q, Q Straight=Q Str=The Q Straight@the-q
AU SA
T Balaklava, Bordertown, Ceduna, Clare=Clare Valley, Cleve, Hawker, Jamestown, Kangaroo Island=Kingscote, Kimba, Lock, Mindarie=Mindarie Halidon
T Morphettville, Morphettville Parks=Parks@morphettville, Naracoorte, Oakbank=Onkaparinga, Penola=Coonawarra, Penong, Port Lincoln, Quorn
T Roxby Downs, Streaky Bay, Tumby Bay, Wudinna
THG Gawler, Mount Gambier=Glenburnie, Port Augusta, Strathalbyn, Port Pirie
TG Murray Bridge=Murray Bridge Mbr
H Franklin Harbour=Cowell, Globe Derby=Globe Derby Park, Kapunda, Victor Harbor=Victor Harbour, Wayville
HG Whyalla
G Angle Park, Murray Bridge Straight=Murray Bridge Mbs=Murray Bridge Str@murray-bridge, Virginia
AU WA
T Ascot, Ashburton WA, Belmont=Belmont Park, Beverley, Broome, Carnarvon, Derby, Dongara, Esperance, Exmouth, Fitzroy Crossing, Geraldton
T Halls Creek, Junction, Kojonup, Kununurra, Landor, Lark Hill, Laverton, Leinster, Leonora, Marble Bar, Meekatharra, Mingenew, Moora
T Mount Barker, Mount Magnet, Norseman, Onslow, Pingrup, Port Hedland, Roebourne, Toodyay, Wiluna, Wyndham, Yalgoo
TH Albany, Bunbury, Collie, Kalgoorlie=Kalgoorlie Boulder, Narrogin, Pinjarra=Pinjarra Scarpside, York
THG Northam
H Bridgetown, Busselton, Byford, Central Wheatbelt, Cunderdin, Gloucester Park, Harvey, Kellerberrin, Wagin, Williams
G Cannington=Greyhounds WA Cannington, Mandurah
AU TAS
T Deloraine, Longford
TH King Island
THG Hobart=Elwick=Devonport At Hobart=Dport Hob=Dport At Hob, Launceston=Mowbray=Devonport At Launceston=Dport Lcn=Dport At Lcn, Devonport=Spreyton=Dport
H Burnie, Carrick, Huonville, New Norfolk, Scottsdale, St Marys
HG Ulverstone
AU NT
T Adelaide River, Aileron, Alice Springs=Pioneer Park, Barrow Creek, Brunette Downs, Katherine, Larrimah, Mataranka, Pine Creek, Tennant Creek
TG Darwin=Fannie Bay=Winnellie
NZ NZ
T Arawa Park=Rotorua, Avondale, Awapuni=Palmerston North=Palmerston Nth=Palm Nth, Dargaville, Ellerslie=Auckland, Foxton
T Gisborne=Makaraka=Poverty Bay, Hastings=Hawkes Bay, Hokitika, Levin, Matamata, New Plymouth=Pukekura, Omoto=Greymouth, Opunake, Paeroa
T Pukekohe=Counties, Riccarton=Christchurch=Canterbury NZ, Riverton, Ruakaka=Whangarei, Tapanui, Taupo
T Te Aroha, Te Rapa=Waikato=Hamilton, Te Teko, Thames, Trentham=Wellington, Waipukurau, Wairoa, Waverley, Wingatui=Dunedin, Woodville
T Wanganui=Whanganui
TH Ashburton, Blenheim=Waterlea=Marlborough, Cromwell, Gore, Hawera, Kumara, Kurow, Motukarara=Banks Peninsula, Oamaru, Omakau, Otaki, Reefton
TH Stratford, Tauranga=Gate Pa, Te Awamutu=Waipa, Timaru=Phar Lap=Washdyke, Waikouaiti, Waimate, Wairio, Westport, Winton, Wyndham NZ=Wyndham, Tauherenikau=Tauherenikau Featherston
THG Ascot Park=Invercargill=Southland
H Alexandra Park=Auckland=Alexandra, Geraldine, Kaikoura, Methven=Mount Harding, Nelson=Richmond, Rangiora, Rotorua, Roxburgh
HG Addington=Christchurch=Christchurch NZ=Addington Raceway, Cambridge=Waikato, Forbury=Forbury Park=Dunedin
HG Manawatu=Palmerston North=Palmerston Nth=Palm Nth, Manukau=Auckland Greyhounds
G Hatrick=Wanganui=Whanganui, Tokoroa
HK HK
T Sha Tin=Shatin, Happy Valley
CA ON
H Mohawk=Woodbine Mohawk=Woodbine Mohawk Park=Mohawk Park
T Woodbine
`;
