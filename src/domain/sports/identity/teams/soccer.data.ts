// Soccer clubs: those of England's first two divisions, and clubs of other countries that books spell in several ways.

const ENGLAND = `
AFC Bournemouth
Arsenal
Aston / Villa
Birmingham / City
Blackburn / Rovers
Brentford
Brighton & Hove / Albion | Brighton and Hove Albion | Brighton | Brighton Hove
Bristol / City
Burnley
Cardiff / City
Charlton / Athletic
Chelsea
Coventry / City
Crystal / Palace | C Palace
Derby / County
Everton
Fulham
Hull / City
Ipswich / Town
Leeds / United
Leicester / City
Liverpool
Luton / Town
Manchester / City
Manchester / United
Middlesbrough | Boro
Millwall
Newcastle / United
Norwich / City
Nottingham / Forest | Nottm Forest | Nott'm Forest
Oxford / United
Plymouth / Argyle
Portsmouth
Preston / North End | Preston NE
Queens Park / Rangers | QPR
Sheffield / United | Sheff Utd
Sheffield / Wednesday | Sheff Wed | Sheffield Weds
Southampton
Stoke / City
Sunderland
Swansea / City
Tottenham / Hotspur | Spurs
Watford
West Bromwich / Albion | West Brom | WBA
West Ham / United
Wolverhampton / Wanderers | Wolves
Wrexham
`;

const WORLD = `
Adelaide United
Auckland FC
Brisbane Roar
Central Coast Mariners
Macarthur FC | Macarthur Bulls
Melbourne City
Melbourne Victory
Newcastle Jets
Perth Glory
Sydney FC | Sydney
Wellington Phoenix
Western Sydney Wanderers | WS Wanderers
Western United
Aberdeen
Celtic | Glasgow Celtic
Dundee
Dundee United
Heart of Midlothian | Hearts
Hibernian | Hibs
Rangers | Glasgow Rangers
St Mirren
Athletic Bilbao | Athletic Club | Ath Bilbao | Athletic Club Bilbao
Atletico Madrid | Atl Madrid | Club Atletico de Madrid | Atletico de Madrid
Barcelona | FC Barcelona
Real Betis | Betis | Real Betis Balompie
Celta Vigo | Celta de Vigo | RC Celta
Deportivo Alaves | Alaves
Espanyol | RCD Espanyol | Espanyol Barcelona
Real Madrid
Real Sociedad
Real Valladolid
Rayo Vallecano
Sevilla | Sevilla FC
Valencia
Villarreal
AC Milan | Milan
Inter Milan | Inter | Internazionale | Inter Milano | FC Internazionale Milano | FC Internazionale
Atalanta | Atalanta BC | Atalanta Bergamo
Bologna
Fiorentina | ACF Fiorentina
Genoa
Hellas Verona | Verona
Juventus | Juventus Turin
Lazio | Lazio Rome
Napoli | SSC Napoli
AS Roma | Roma
Torino | Torino FC
Udinese
Augsburg
Bayer Leverkusen | Leverkusen | Bayer 04 Leverkusen
Bayern Munich | FC Bayern Munich | Bayern | FC Bayern Munchen
Borussia Dortmund | Dortmund | BVB | B Dortmund | BV 09 Borussia Dortmund
Borussia Monchengladbach | Monchengladbach | M'gladbach | B Monchengladbach | Gladbach | Borussia M'gladbach | B. M'gladbach
Eintracht Frankfurt | Frankfurt | E Frankfurt
FC Koln | Cologne | 1. FC Koln | Koln
Freiburg | SC Freiburg
Hamburger SV | Hamburg | HSV
Heidenheim | 1. FC Heidenheim
Hoffenheim | TSG Hoffenheim
Mainz | Mainz 05 | FSV Mainz 05
RB Leipzig | RasenBallsport Leipzig | Leipzig
St Pauli | FC St. Pauli
Stuttgart | VfB Stuttgart
Union Berlin | 1. FC Union Berlin | Union Berlin FC
Werder Bremen | Bremen | SV Werder Bremen
Wolfsburg | VfL Wolfsburg
Paris Saint Germain | PSG | Paris Saint-Germain FC | Paris SG | Paris St-G | Paris St G
Paris FC
Lille | Lille OSC | LOSC Lille | LOSC
Lyon | Olympique Lyonnais | Olympique Lyon | Lyonnais
Marseille | Olympique Marseille | Olympique de Marseille
Monaco | AS Monaco
Nice | OGC Nice
Rennes | Stade Rennais | Stade Rennais FC
Lens | RC Lens
Ajax | Ajax Amsterdam
Feyenoord | Feyenoord Rotterdam
PSV Eindhoven | PSV
AZ Alkmaar | AZ
Benfica | SL Benfica | Benfica Lisbon
FC Porto | Porto
Sporting CP | Sporting Lisbon | Sporting Clube de Portugal | Sporting Portugal
Sporting Braga | Braga | SC Braga
Club Brugge | Club Brugge KV | FC Bruges | Brugge
Anderlecht | RSC Anderlecht
Union Saint Gilloise | Royale Union Saint-Gilloise | Union SG | Union St Gilloise | R. Union SG
FC Copenhagen | FC Kobenhavn | Copenhagen
Brondby | Brondby IF
Midtjylland | FC Midtjylland
Bodo Glimt | Bodo/Glimt | FK Bodo/Glimt
Malmo FF | Malmo
IFK Goteborg | IFK Gothenburg | Goteborg
Dynamo Kyiv | Dinamo Kiev | Dynamo Kiev
Shakhtar Donetsk | Shakhtar
Red Star Belgrade | Crvena Zvezda | FK Crvena Zvezda | Red Star | Crvena zvezda Beograd
Partizan Belgrade | Partizan
Dinamo Zagreb | GNK Dinamo Zagreb
Slavia Prague | Slavia Praha | SK Slavia Praha
Sparta Prague | Sparta Praha | AC Sparta Praha
Olympiacos | Olympiakos | Olympiacos Piraeus | Olympiakos Piraeus
Panathinaikos
PAOK | PAOK Salonika | PAOK Thessaloniki
Galatasaray | Galatasaray Istanbul
Fenerbahce | Fenerbahce Istanbul
Besiktas | Besiktas JK | Besiktas Istanbul
Ferencvaros | Ferencvarosi TC | Ferencvarosi
Red Bull Salzburg | RB Salzburg | Salzburg | FC Salzburg
Sturm Graz | SK Sturm Graz
Qarabag | Qarabag FK | Karabakh | Karabakh Agdam
Legia Warsaw | Legia Warszawa
Young Boys | BSC Young Boys | Young Boys Bern
Atlanta United
Austin FC
Charlotte FC
Chicago Fire
FC Cincinnati | Cincinnati
Colorado Rapids
Columbus Crew
DC United | D.C. United | Washington DC United
FC Dallas | Dallas
Houston Dynamo
Inter Miami | Inter Miami CF
LA Galaxy | Los Angeles Galaxy
Los Angeles FC | LAFC | LA FC
Minnesota United
CF Montreal | Montreal | Montreal Impact
Nashville SC | Nashville
New England Revolution | NE Revolution
New York City FC | NYCFC | NYC FC | New York City
New York Red Bulls | NY Red Bulls | NYRB
Orlando City
Philadelphia Union
Portland Timbers
Real Salt Lake
San Diego FC
San Jose Earthquakes
Seattle Sounders
Sporting Kansas City | Sporting KC
St Louis City | St. Louis City SC
Toronto FC
Vancouver Whitecaps
Al Ahly | Al Ahly Cairo | Al-Ahly SC
Al Ahli Jeddah | Al-Ahli Saudi | Al Ahli Saudi
Al Hilal Riyadh | Al-Hilal Saudi
Al Nassr | Al-Nassr Riyadh | Al Nassr Riyadh
Boca Juniors | CA Boca Juniors
River Plate | CA River Plate
Atletico Mineiro | Atletico MG | Atletico-MG
Athletico Paranaense | Athletico PR | Atletico PR | Atletico Paranaense
Flamengo | Flamengo RJ | CR Flamengo
Palmeiras | SE Palmeiras
`;

/** By sport key. */
export const SOCCER: Readonly<Record<string, readonly string[]>> = {
  soccer_epl: [ENGLAND],
  soccer_other: [ENGLAND.replaceAll(' / ', ' '), WORLD],
};
