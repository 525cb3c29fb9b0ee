// The professional leagues of North America.

const NBA = `
Atlanta / Hawks
Boston / Celtics
Brooklyn / Nets
Charlotte / Hornets
Chicago / Bulls
Cleveland / Cavaliers | Cleveland Cavs | Cavs
Dallas / Mavericks | Dallas Mavs | Mavs
Denver / Nuggets
Detroit / Pistons
Golden State / Warriors
Houston / Rockets
Indiana / Pacers
Los Angeles / Clippers
Los Angeles / Lakers
Memphis / Grizzlies
Miami / Heat
Milwaukee / Bucks
Minnesota / Timberwolves | Minnesota Wolves | Wolves
New Orleans / Pelicans
New York / Knicks
Oklahoma City / Thunder | Oklahoma Thunder
Orlando / Magic
Philadelphia / 76ers | Philadelphia Sixers | Sixers | Phila 76ers
Phoenix / Suns
Portland / Trail Blazers
Sacramento / Kings
San Antonio / Spurs
Toronto / Raptors
Utah / Jazz
Washington / Wizards
`;

const WNBA = `
Atlanta / Dream
Chicago / Sky
Connecticut / Sun
Dallas / Wings
Golden State / Valkyries
Indiana / Fever
Las Vegas / Aces
Los Angeles / Sparks
Minnesota / Lynx
New York / Liberty
Phoenix / Mercury
Portland / Fire
Seattle / Storm
Toronto / Tempo
Washington / Mystics
`;

const NFL = `
Arizona / Cardinals
Atlanta / Falcons
Baltimore / Ravens
Buffalo / Bills
Carolina / Panthers
Chicago / Bears
Cincinnati / Bengals
Cleveland / Browns
Dallas / Cowboys
Denver / Broncos
Detroit / Lions
Green Bay / Packers
Houston / Texans
Indianapolis / Colts
Jacksonville / Jaguars | Jags
Kansas City / Chiefs
Las Vegas / Raiders | Oakland Raiders
Los Angeles / Chargers | San Diego Chargers
Los Angeles / Rams
Miami / Dolphins
Minnesota / Vikings
New England / Patriots
New Orleans / Saints
New York / Giants
New York / Jets
Philadelphia / Eagles
Pittsburgh / Steelers
San Francisco / 49ers | San Francisco Niners | Niners
Seattle / Seahawks
Tampa Bay / Buccaneers | Tampa Bay Bucs | Bucs | Tampa
Tennessee / Titans
Washington / Commanders | Washington Football Team
`;

const MLB = `
Arizona / Diamondbacks | Arizona D-Backs | D-Backs | AZ Diamondbacks
Athletics | Oakland Athletics | Oakland A's | Sacramento Athletics | A's | Las Vegas Athletics | Oakland | Sacramento
Atlanta / Braves
Baltimore / Orioles
Boston / Red Sox | Boston RedSox | BoSox
Chicago / Cubs
Chicago / White Sox | Chicago WSox
Cincinnati / Reds
Cleveland / Guardians | Cleveland Indians
Colorado / Rockies
Detroit / Tigers
Houston / Astros
Kansas City / Royals
Los Angeles / Angels | Los Angeles Angels of Anaheim | Anaheim Angels | Anaheim
Los Angeles / Dodgers
Miami / Marlins | Florida Marlins
Milwaukee / Brewers
Minnesota / Twins
New York / Mets
New York / Yankees
Philadelphia / Phillies
Pittsburgh / Pirates
San Diego / Padres
San Francisco / Giants
Seattle / Mariners
St Louis / Cardinals
Tampa Bay / Rays | Tampa
Texas / Rangers
Toronto / Blue Jays
Washington / Nationals | Nats
`;

const NHL = `
Anaheim / Ducks
Boston / Bruins
Buffalo / Sabres
Calgary / Flames
Carolina / Hurricanes
Chicago / Blackhawks
Colorado / Avalanche
Columbus / Blue Jackets
Dallas / Stars
Detroit / Red Wings
Edmonton / Oilers
Florida / Panthers
Los Angeles / Kings
Minnesota / Wild
Montreal / Canadiens | Montreal Habs
Nashville / Predators
New Jersey / Devils
New York / Islanders
New York / Rangers
Ottawa / Senators
Philadelphia / Flyers
Pittsburgh / Penguins
San Jose / Sharks
Seattle / Kraken
St Louis / Blues
Tampa Bay / Lightning | Tampa
Toronto / Maple Leafs
Utah / Mammoth | Utah Hockey Club | Utah HC | Utah
Vancouver / Canucks
Vegas / Golden Knights | Las Vegas Golden Knights | Las Vegas | Vegas Knights
Washington / Capitals | Washington Caps
Winnipeg / Jets
`;

/** By sport key. */
export const AMERICAN: Readonly<Record<string, readonly string[]>> = {
  nba: [NBA],
  wnba: [WNBA],
  nfl: [NFL],
  mlb: [MLB],
  nhl: [NHL],
};
