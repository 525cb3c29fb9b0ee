// Teams that books spell in several ways, by league: the name that we show, then other spellings. A spelling stands here only if it means one
// team of its league. What is not listed is compared by its folded name.

const lines = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((name) => name.trim()));

const AFL = lines(`
Adelaide Crows | Adelaide | Crows
Brisbane Lions | Brisbane | Lions
Carlton Blues | Carlton
Collingwood Magpies | Collingwood | Magpies
Essendon Bombers | Essendon | Bombers
Fremantle Dockers | Fremantle | Dockers
Geelong Cats | Geelong | Cats
Gold Coast Suns | Gold Coast | Suns
Greater Western Sydney Giants | GWS Giants | GWS | Greater Western Sydney | Giants
Hawthorn Hawks | Hawthorn | Hawks
Melbourne Demons | Melbourne | Demons
North Melbourne Kangaroos | North Melbourne | Kangaroos
Port Adelaide Power | Port Adelaide
Richmond Tigers | Richmond | Tigers
St Kilda Saints | St Kilda | Saints
Sydney Swans | Sydney | Swans
West Coast Eagles | West Coast | Eagles
Western Bulldogs | Bulldogs
`);

const NRL = lines(`
Brisbane Broncos | Brisbane | Broncos
Canberra Raiders | Canberra | Raiders
Canterbury Bulldogs | Canterbury-Bankstown Bulldogs | Canterbury Bankstown | Canterbury | Bulldogs
Cronulla Sharks | Cronulla-Sutherland Sharks | Cronulla Sutherland | Cronulla | Sharks
Dolphins | Redcliffe Dolphins
Gold Coast Titans | Gold Coast | Titans
Manly Sea Eagles | Manly-Warringah Sea Eagles | Manly Warringah | Manly | Sea Eagles
Melbourne Storm | Melbourne | Storm
New Zealand Warriors | NZ Warriors | Warriors
Newcastle Knights | Newcastle | Knights
North Queensland Cowboys | Nth Queensland Cowboys | NQ Cowboys | North Queensland | Cowboys
Parramatta Eels | Parramatta | Eels
Penrith Panthers | Penrith | Panthers
South Sydney Rabbitohs | South Sydney | Rabbitohs | Souths
St George Illawarra Dragons | St. George Illawarra | St George Dragons | Dragons
Sydney Roosters | Roosters
Wests Tigers | West Tigers | Tigers
`);

const NBA = lines(`
Atlanta Hawks | Hawks
Boston Celtics | Celtics
Brooklyn Nets | Nets
Charlotte Hornets | Hornets
Chicago Bulls | Bulls
Cleveland Cavaliers | Cavaliers
Dallas Mavericks | Mavericks
Denver Nuggets | Nuggets
Detroit Pistons | Pistons
Golden State Warriors | GS Warriors | Warriors
Houston Rockets | Rockets
Indiana Pacers | Pacers
Los Angeles Clippers | LA Clippers | L.A. Clippers | Clippers
Los Angeles Lakers | LA Lakers | L.A. Lakers | Lakers
Memphis Grizzlies | Grizzlies
Miami Heat | Heat
Milwaukee Bucks | Bucks
Minnesota Timberwolves | Timberwolves
New Orleans Pelicans | NO Pelicans | Pelicans
New York Knicks | NY Knicks | Knicks
Oklahoma City Thunder | OKC Thunder | Thunder
Orlando Magic | Magic
Philadelphia 76ers | Philadelphia Sixers | 76ers
Phoenix Suns | Suns
Portland Trail Blazers | Trail Blazers
Sacramento Kings | Kings
San Antonio Spurs | SA Spurs | Spurs
Toronto Raptors | Raptors
Utah Jazz | Jazz
Washington Wizards | Wizards
`);

const NFL = lines(`
Arizona Cardinals | Cardinals
Atlanta Falcons | Falcons
Baltimore Ravens | Ravens
Buffalo Bills | Bills
Carolina Panthers | Panthers
Chicago Bears | Bears
Cincinnati Bengals | Bengals
Cleveland Browns | Browns
Dallas Cowboys | Cowboys
Denver Broncos | Broncos
Detroit Lions | Lions
Green Bay Packers | Packers
Houston Texans | Texans
Indianapolis Colts | Colts
Jacksonville Jaguars | Jaguars
Kansas City Chiefs | KC Chiefs | Chiefs
Las Vegas Raiders | LV Raiders | Raiders
Los Angeles Chargers | LA Chargers | L.A. Chargers | Chargers
Los Angeles Rams | LA Rams | L.A. Rams | Rams
Miami Dolphins | Dolphins
Minnesota Vikings | Vikings
New England Patriots | NE Patriots | Patriots
New Orleans Saints | NO Saints | Saints
New York Giants | NY Giants | Giants
New York Jets | NY Jets | Jets
Philadelphia Eagles | Eagles
Pittsburgh Steelers | Steelers
San Francisco 49ers | SF 49ers | 49ers
Seattle Seahawks | Seahawks
Tampa Bay Buccaneers | TB Buccaneers | Buccaneers
Tennessee Titans | Titans
Washington Commanders | Commanders
`);

const EPL = lines(`
AFC Bournemouth | Bournemouth
Brighton & Hove Albion | Brighton and Hove Albion | Brighton
Ipswich Town | Ipswich
Leeds United | Leeds Utd | Leeds
Leicester City | Leicester
Luton Town | Luton
Manchester City | Man City
Manchester United | Man United | Man Utd | Manchester Utd
Newcastle United | Newcastle Utd | Newcastle
Norwich City | Norwich
Nottingham Forest | Nottm Forest | Nott'm Forest
Sheffield United | Sheffield Utd
Tottenham Hotspur | Tottenham | Spurs
West Bromwich Albion | West Brom
West Ham United | West Ham Utd | West Ham
Wolverhampton Wanderers | Wolverhampton | Wolves
`);

const SUPER_LEAGUE = lines(`
Castleford Tigers | Castleford
Catalans Dragons | Catalan Dragons | Catalans
Huddersfield Giants | Huddersfield
Hull FC | Hull
Hull Kingston Rovers | Hull KR
Leeds Rhinos | Leeds
Leigh Leopards | Leigh
Salford Red Devils | Salford
St Helens | St. Helens RFC | St Helens R.F.C.
Wakefield Trinity | Wakefield
Warrington Wolves | Warrington
Wigan Warriors | Wigan
`);

/** By sport key. */
export const TEAM_SPELLINGS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  afl: AFL,
  aflw: AFL,
  nrl: NRL,
  nrlw: NRL,
  nba: NBA,
  nfl: NFL,
  soccer_epl: EPL,
  super_league: SUPER_LEAGUE,
};
