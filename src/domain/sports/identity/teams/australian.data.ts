// Leagues of Australia and the rugby league of England.

const AFL = `
Adelaide / Crows | Adelaide | Kuwarna
Brisbane / Lions | Brisbane Lions FC
Carlton / Blues
Collingwood / Magpies | Pies
Essendon / Bombers | Dons
Fremantle / Dockers | Freo | Walyalup
Geelong / Cats
Gold Coast / Suns
Greater Western Sydney / Giants | GWS Giants | GWS | Western Sydney Giants | Western Sydney | Greater Western Sydney GWS Giants
Hawthorn / Hawks
Melbourne / Demons | Melbourne | Narrm
North Melbourne / Kangaroos | North | Roos
Port Adelaide / Power | Port | Yartapuulti
Richmond / Tigers
St Kilda / Saints | Euro-Yroke
Sydney / Swans | Sydney
West Coast / Eagles | Waalitj Marawar
Western / Bulldogs | Footscray | Footscray Bulldogs | Western Bulldogs Football Club
`;

const NRL = `
Brisbane / Broncos
Canberra / Raiders
Canterbury / Bulldogs | Canterbury-Bankstown Bulldogs | Canterbury Bankstown | CB Bulldogs
Cronulla / Sharks | Cronulla-Sutherland Sharks | Cronulla Sutherland
Dolphins | Redcliffe Dolphins | Redcliffe | Dolphins NRL
Gold Coast / Titans
Manly / Sea Eagles | Manly-Warringah Sea Eagles | Manly Warringah
Melbourne / Storm
New Zealand / Warriors | NZ Warriors | Auckland Warriors
Newcastle / Knights
North Queensland / Cowboys | NQ Cowboys | NQ | North Qld
Parramatta / Eels
Penrith / Panthers
South Sydney / Rabbitohs | Souths | South Sydney | Rabbits
St George Illawarra / Dragons | St George Dragons | St George | SGI Dragons | St Geo Illa Dragons
Sydney / Roosters | Eastern Suburbs Roosters | Easts
Wests / Tigers | West Tigers | Balmain Tigers
`;

const SUPER_LEAGUE = `
Bradford / Bulls
Castleford / Tigers
Catalans / Dragons | Catalan Dragons
Huddersfield / Giants
Hull FC | Hull
Hull Kingston / Rovers | Hull KR
Leeds / Rhinos
Leigh / Leopards | Leigh Centurions
London / Broncos
Salford / Red Devils | Salford City Reds
St Helens | St. Helens RFC | St Helens R.F.C. | St Helens Saints
Toulouse / Olympique
Wakefield / Trinity | Wakefield Trinity Wildcats
Warrington / Wolves
Wigan / Warriors
York / Knights
`;

/** By sport key. A women's league has the clubs of the men's. */
export const AUSTRALIAN: Readonly<Record<string, readonly string[]>> = {
  afl: [AFL],
  aflw: [AFL],
  nrl: [NRL],
  nrlw: [NRL],
  super_league: [SUPER_LEAGUE],
};
