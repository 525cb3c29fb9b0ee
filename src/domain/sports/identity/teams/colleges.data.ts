// Colleges that play in the first division of American football. The schools of both subdivisions are all here, so that
// a state's name alone is one school (`Ohio`) and no part of another (`Ohio State`).

export const COLLEGES = `
Air Force / Falcons
Akron / Zips
Alabama / Crimson Tide | Bama
Appalachian State / Mountaineers | App State | Appalachian St
Arizona State / Sun Devils | ASU Sun Devils
Arizona / Wildcats
Arkansas State / Red Wolves
Arkansas / Razorbacks
Army / Black Knights | Army West Point | Army West Point Black Knights
Auburn / Tigers
Ball State / Cardinals
Baylor / Bears
Boise State / Broncos
Boston College / Eagles
Bowling Green / Falcons | Bowling Green State
BYU / Cougars | Brigham Young | Brigham Young Cougars
Buffalo / Bulls
California / Golden Bears | Cal | Cal Golden Bears | Cal Bears
Central Michigan / Chippewas
Charlotte / 49ers
Cincinnati / Bearcats
Clemson / Tigers
Coastal Carolina / Chanticleers
Colorado State / Rams
Colorado / Buffaloes
Delaware / Blue Hens | Delaware Fightin Blue Hens
Duke / Blue Devils
East Carolina / Pirates | ECU | ECU Pirates
Eastern Michigan / Eagles
Florida Atlantic / Owls | FAU | FAU Owls
Florida International / Panthers | FIU | FIU Panthers | Florida Intl
Florida State / Seminoles | FSU
Florida / Gators
Fresno State / Bulldogs
Georgia Southern / Eagles
Georgia State / Panthers
Georgia Tech / Yellow Jackets
Georgia / Bulldogs
Hawaii / Rainbow Warriors | Hawai'i Warriors
Houston / Cougars
Illinois / Fighting Illini | Illinois Illini
Indiana / Hoosiers
Iowa State / Cyclones
Iowa / Hawkeyes
Jacksonville State / Gamecocks | Jax State
James Madison / Dukes | JMU
Kansas State / Wildcats | K-State | Kansas State Wildcat
Kansas / Jayhawks
Kennesaw State / Owls
Kent State / Golden Flashes | Kent
Kentucky / Wildcats
Liberty / Flames
Louisiana Tech / Bulldogs | LA Tech
Louisiana Monroe / Warhawks | UL Monroe | ULM | UL-Monroe Warhawks | Louisiana-Monroe
Louisiana / Ragin Cajuns | Louisiana Lafayette | UL Lafayette | Louisiana-Lafayette Ragin Cajuns
Louisville / Cardinals
LSU / Tigers | Louisiana State | Louisiana State Tigers
Marshall / Thundering Herd
Maryland / Terrapins
Massachusetts / Minutemen | UMass | UMass Minutemen
Memphis / Tigers
Miami OH / RedHawks | Miami (OH) RedHawks | Miami Ohio | Miami (Ohio) | Miami Ohio RedHawks | Miami University
Miami / Hurricanes | Miami FL | Miami (FL) | Miami Florida | Miami (FL) Hurricanes | Miami Florida Hurricanes
Michigan State / Spartans
Michigan / Wolverines
Middle Tennessee / Blue Raiders | Middle Tennessee State | MTSU | Mid Tennessee
Minnesota / Golden Gophers | Minnesota Gophers
Mississippi State / Bulldogs | Miss State
Missouri State / Bears
Missouri / Tigers | Mizzou
Navy / Midshipmen
NC State / Wolfpack | North Carolina State | North Carolina State Wolfpack | N.C. State
Nebraska / Cornhuskers
Nevada / Wolf Pack
New Mexico State / Aggies
New Mexico / Lobos
North Carolina / Tar Heels | UNC
North Texas / Mean Green
Northern Illinois / Huskies | NIU | Northern Ill
Northwestern / Wildcats
Notre Dame / Fighting Irish
Ohio State / Buckeyes
Ohio / Bobcats | Ohio University
Oklahoma State / Cowboys
Oklahoma / Sooners
Old Dominion / Monarchs | ODU
Ole Miss / Rebels | Mississippi | Mississippi Rebels
Oregon State / Beavers
Oregon / Ducks
Penn State / Nittany Lions | Pennsylvania State
Pittsburgh / Panthers | Pitt | Pitt Panthers
Purdue / Boilermakers
Rice / Owls
Rutgers / Scarlet Knights
Sam Houston State / Bearkats | Sam Houston | Sam Houston Bearkats
San Diego State / Aztecs | SDSU
San Jose State / Spartans | SJSU
SMU / Mustangs | Southern Methodist | Southern Methodist Mustangs
South Alabama / Jaguars
South Carolina / Gamecocks
South Florida / Bulls | USF | USF Bulls
Southern Miss / Golden Eagles | Southern Mississippi | Southern Mississippi Golden Eagles
Stanford / Cardinal
Syracuse / Orange
TCU / Horned Frogs | Texas Christian | Texas Christian Horned Frogs
Temple / Owls
Tennessee / Volunteers | Tennessee Vols
Texas A&M / Aggies | Texas AM | Texas A and M
Texas State / Bobcats
Texas Tech / Red Raiders
Texas / Longhorns
Toledo / Rockets
Troy / Trojans
Tulane / Green Wave
Tulsa / Golden Hurricane
UAB / Blazers | Alabama Birmingham
UCF / Knights | Central Florida | Central Florida Knights
UCLA / Bruins
UConn / Huskies | Connecticut | Connecticut Huskies
UNLV / Rebels | Nevada Las Vegas | UNLV Runnin Rebels
USC / Trojans | Southern California | Southern Cal | Southern California Trojans
Utah State / Aggies
Utah / Utes
UTEP / Miners | Texas El Paso
UTSA / Roadrunners | Texas San Antonio | UT San Antonio
Vanderbilt / Commodores | Vandy
Virginia Tech / Hokies
Virginia / Cavaliers
Wake Forest / Demon Deacons
Washington State / Cougars | Wazzu
Washington / Huskies
West Virginia / Mountaineers | WVU
Western Kentucky / Hilltoppers | WKU
Western Michigan / Broncos
Wisconsin / Badgers
Wyoming / Cowboys
Abilene Christian / Wildcats
Alabama A&M / Bulldogs
Alabama State / Hornets
Albany / Great Danes
Alcorn State / Braves
Arkansas Pine Bluff / Golden Lions
Austin Peay / Governors
Bethune Cookman / Wildcats
Brown / Bears
Bryant / Bulldogs
Bucknell / Bison
Butler / Bulldogs
Cal Poly / Mustangs
Campbell / Fighting Camels
Central Arkansas / Bears
Central Connecticut / Blue Devils | Central Connecticut State
Charleston Southern / Buccaneers
Chattanooga / Mocs
Colgate / Raiders
Columbia / Lions
Cornell / Big Red
Dartmouth / Big Green
Davidson / Wildcats
Dayton / Flyers
Delaware State / Hornets
Drake / Bulldogs
Duquesne / Dukes
East Tennessee State / Buccaneers | ETSU
East Texas A&M / Lions
Eastern Illinois / Panthers
Eastern Kentucky / Colonels
Eastern Washington / Eagles
Elon / Phoenix
Florida A&M / Rattlers
Fordham / Rams
Furman / Paladins
Gardner Webb / Runnin Bulldogs
Georgetown / Hoyas
Grambling State / Tigers | Grambling
Hampton / Pirates
Harvard / Crimson
Holy Cross / Crusaders
Houston Christian / Huskies
Howard / Bison
Idaho State / Bengals
Idaho / Vandals
Illinois State / Redbirds
Incarnate Word / Cardinals
Indiana State / Sycamores
Jackson State / Tigers
Lafayette / Leopards
Lamar / Cardinals
Lehigh / Mountain Hawks
Lindenwood / Lions
Long Island / Sharks | LIU
Maine / Black Bears
Marist / Red Foxes
McNeese / Cowboys | McNeese State
Mercer / Bears
Merrimack / Warriors
Mississippi Valley State / Delta Devils
Monmouth / Hawks
Montana State / Bobcats
Montana / Grizzlies
Morehead State / Eagles
Morgan State / Bears
Murray State / Racers
New Hampshire / Wildcats
Nicholls / Colonels | Nicholls State
Norfolk State / Spartans
North Alabama / Lions
North Carolina A&T / Aggies
North Carolina Central / Eagles
North Dakota State / Bison
North Dakota / Fighting Hawks
Northern Arizona / Lumberjacks
Northern Colorado / Bears
Northern Iowa / Panthers
Northwestern State / Demons
Pennsylvania / Quakers | Penn
Portland State / Vikings
Prairie View A&M / Panthers
Princeton / Tigers
Rhode Island / Rams
Richmond / Spiders
Robert Morris / Colonials
Sacramento State / Hornets
Sacred Heart / Pioneers
Samford / Bulldogs
San Diego / Toreros
South Carolina State / Bulldogs
South Dakota State / Jackrabbits
South Dakota / Coyotes
Southeast Missouri State / Redhawks
Southeastern Louisiana / Lions
Southern Illinois / Salukis
Southern Utah / Thunderbirds
Southern / Jaguars
Stephen F Austin / Lumberjacks
Stetson / Hatters
Stonehill / Skyhawks
Stony Brook / Seawolves
Tarleton State / Texans
Tennessee State / Tigers
Tennessee Tech / Golden Eagles
Texas Southern / Tigers
Towson / Tigers
UC Davis / Aggies
UT Martin / Skyhawks
Utah Tech / Trailblazers
Valparaiso / Beacons
Villanova / Wildcats
VMI / Keydets
Wagner / Seahawks
Weber State / Wildcats
West Georgia / Wolves
Western Carolina / Catamounts
Western Illinois / Leathernecks
William & Mary / Tribe
Wofford / Terriers
Yale / Bulldogs
Youngstown State / Penguins
`;
