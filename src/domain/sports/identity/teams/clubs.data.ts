// Clubs of basketball, rugby union and cricket.

const BASKETBALL = `
Adelaide 36ers | Adelaide Sixers
Brisbane Bullets
Cairns Taipans
Illawarra Hawks | The Hawks
Melbourne United
New Zealand Breakers | NZ Breakers
Perth Wildcats
South East Melbourne Phoenix | SE Melbourne Phoenix | SEM Phoenix | S.E. Melbourne Phoenix
Sydney Kings
Tasmania JackJumpers | Tasmania Jack Jumpers | Tassie JackJumpers
Adelaide Lightning
Bendigo Spirit
Canberra Capitals | UC Capitals
Geelong Venom
Perth Lynx
Southside Flyers | Southside Melbourne Flyers
Sydney Flames
Townsville Fire
Real Madrid
Barcelona | FC Barcelona | Barca
Olympiacos | Olympiacos Piraeus | Olympiakos
Panathinaikos | Panathinaikos Athens
Fenerbahce | Fenerbahce Beko | Fenerbahce Istanbul
Anadolu Efes | Efes | Anadolu Efes Istanbul | Efes Istanbul
Olimpia Milano | EA7 Emporio Armani Milan | Emporio Armani Milano | Armani Milano | AX Armani Exchange Milan | Milano
Virtus Bologna | Segafredo Virtus Bologna
Zalgiris Kaunas | Zalgiris
Maccabi Tel Aviv | Maccabi Playtika Tel Aviv | Maccabi Rapyd Tel Aviv
Hapoel Tel Aviv | Hapoel IBI Tel Aviv
Partizan Belgrade | Partizan Mozzart Bet | Partizan
Red Star Belgrade | Crvena Zvezda | Crvena Zvezda Meridianbet
AS Monaco | Monaco
ASVEL | LDLC ASVEL | ASVEL Lyon-Villeurbanne | Lyon-Villeurbanne
Paris Basketball
Bayern Munich | FC Bayern Munich
Alba Berlin
Baskonia | Cazoo Baskonia | Saski Baskonia | Baskonia Vitoria-Gasteiz
Valencia | Valencia Basket
Dubai Basketball | Dubai BC | Dubai
`;

const RUGBY_UNION = `
Auckland Blues | Blues
Wellington Hurricanes | Hurricanes
Canterbury Crusaders | Crusaders
Otago Highlanders | Highlanders
Waikato Chiefs | Chiefs
ACT Brumbies | Brumbies
New South Wales Waratahs | NSW Waratahs | Waratahs
Queensland Reds | QLD Reds | Reds
Western Force | Force
Fijian Drua | Fiji Drua | Drua
Moana Pasifika
Melbourne Rebels | Rebels
Bath | Bath Rugby
Bristol Bears | Bristol | Bristol Rugby
Exeter Chiefs | Exeter
Gloucester | Gloucester Rugby
Harlequins | Quins
Leicester Tigers | Leicester
Newcastle Red Bulls | Newcastle Falcons
Northampton Saints | Northampton
Sale Sharks | Sale
Saracens
Benetton Treviso | Benetton | Benetton Rugby
Cardiff Rugby | Cardiff Blues | Cardiff
Connacht
Dragons RFC | Dragons | Newport Gwent Dragons
Edinburgh | Edinburgh Rugby
Glasgow Warriors | Glasgow
Leinster | Leinster Rugby
Munster | Munster Rugby
Ospreys
Scarlets | Llanelli Scarlets
Ulster | Ulster Rugby
Zebre | Zebre Parma
Bulls | Blue Bulls | Vodacom Bulls
Lions | Emirates Lions
Sharks | Hollywoodbets Sharks
Stormers | DHL Stormers
Bordeaux Begles | Union Bordeaux Begles | UBB | Bordeaux
Toulouse | Stade Toulousain
La Rochelle | Stade Rochelais
Racing 92 | Racing Metro 92
Stade Francais | Stade Francais Paris
Toulon | RC Toulon
Clermont Auvergne | ASM Clermont Auvergne | Clermont
Castres | Castres Olympique
Lyon | Lyon OU | LOU Rugby
Montpellier | Montpellier HR
Pau | Section Paloise
Bayonne | Aviron Bayonnais
Perpignan | USA Perpignan
`;

const CRICKET = `
Adelaide Strikers
Brisbane Heat
Hobart Hurricanes
Melbourne Renegades
Melbourne Stars
Perth Scorchers
Sydney Sixers
Sydney Thunder
Chennai Super Kings | CSK
Delhi Capitals | Delhi Daredevils
Gujarat Titans
Kolkata Knight Riders | KKR
Lucknow Super Giants | LSG
Mumbai Indians
Punjab Kings | Kings XI Punjab
Rajasthan Royals
Royal Challengers Bengaluru | Royal Challengers Bangalore | RCB | RC Bengaluru | RC Bangalore
Sunrisers Hyderabad | SRH
New South Wales | NSW | NSW Blues | New South Wales Blues
Queensland | QLD | Queensland Bulls
South Australia | South Australian Redbacks | SA Redbacks
Tasmania | Tasmanian Tigers
Victoria | VIC
Western Australia | WA Warriors | Western Australian Warriors
Birmingham Phoenix
London Spirit
Manchester Originals | Manchester Super Giants
Northern Superchargers | Sunrisers Leeds
Oval Invincibles | MI London
Southern Brave
Trent Rockets
Welsh Fire
Joburg Super Kings
MI Cape Town
Paarl Royals
Pretoria Capitals
Sunrisers Eastern Cape
Durban Super Giants | Durban's Super Giants
Islamabad United
Karachi Kings
Lahore Qalandars
Multan Sultans
Peshawar Zalmi
Quetta Gladiators
`;

/** By sport key. */
export const CLUBS: Readonly<Record<string, readonly string[]>> = {
  basketball_other: [BASKETBALL],
  rugby_union: [RUGBY_UNION],
  cricket_other: [CRICKET],
};
