// Competitions that books name in several ways, by sport: the key, its division if it is not the men's first grade,
// then spellings. Data of identity: two competitions of this table are never one, so a spelling is listed only if it
// means one of them in its sport. A name that could mean two (`Premier League` of `soccer_other`, `Cup`) is left out.

interface KnownCompetition {
  readonly key: string;
  readonly division?: 'women' | 'reserves' | 'youth';
  readonly spellings: readonly string[];
}

const known = (key: string, spellings: string, division?: KnownCompetition['division']): KnownCompetition => ({
  key,
  ...(division && { division }),
  spellings: spellings.split('|').map((one) => one.trim()),
});

const LEAGUE: readonly KnownCompetition[] = [
  known(
    'nrl',
    'NRL | National Rugby League | NRL Premiership | NRL Telstra Premiership | Telstra Premiership | Rugby League NRL',
  ),
  known(
    'nrlw',
    'NRLW | NRL Womens | NRL Women | NRL Womens Premiership | NRLW Premiership | NRL Telstra Womens Premiership',
    'women',
  ),
  known(
    'nsw-cup',
    'NSW Cup | New South Wales Cup | NSWRL Cup | Knock On Effect NSW Cup | Canterbury Cup NSW',
    'reserves',
  ),
  known('qld-cup', 'QLD Cup | Queensland Cup | Hostplus Cup | Intrust Super Cup', 'reserves'),
  known('jersey-flegg', 'Jersey Flegg | Jersey Flegg Cup', 'youth'),
  known('state-of-origin', 'State of Origin'),
  known('womens-state-of-origin', 'Womens State of Origin | State of Origin Women', 'women'),
  known('super-league', 'Super League | Betfred Super League | UK Super League'),
  known('womens-super-league', 'Womens Super League | Betfred Womens Super League', 'women'),
  known('rfl-championship', 'RFL Championship | Betfred Championship'),
];
const RULES: readonly KnownCompetition[] = [
  known('afl', 'AFL | Australian Football League | AFL Premiership | Toyota AFL Premiership'),
  known('aflw', 'AFLW | AFL Womens | AFL Women | AFLW Premiership | NAB AFLW', 'women'),
  known('vfl', 'VFL | Victorian Football League | Smithys VFL', 'reserves'),
  known('vflw', 'VFLW | VFL Womens | Rebel VFLW', 'women'),
  known('sanfl', 'SANFL | South Australian National Football League', 'reserves'),
  known('sanflw', 'SANFLW | SANFL Womens', 'women'),
  known('wafl', 'WAFL | West Australian Football League', 'reserves'),
  known('waflw', 'WAFLW | WAFL Womens', 'women'),
  known('aflx', 'AFLX'),
];
const BASKETBALL: readonly KnownCompetition[] = [
  known('nba', 'NBA | National Basketball Association'),
  known('wnba', 'WNBA | Womens National Basketball Association', 'women'),
  known('nba-g-league', 'NBA G League | G League'),
  known('nba-summer-league', 'NBA Summer League'),
  known('nbl', 'NBL | NBL Australia | Australian NBL'),
  known('wnbl', 'WNBL | WNBL Australia', 'women'),
  known('kbl', 'KBL | Korean Basketball League'),
  known('wkbl', 'WKBL', 'women'),
  known('euroleague', 'EuroLeague | Euroleague Basketball'),
  known('euroleague-women', 'EuroLeague Women', 'women'),
];
const CRICKET: readonly KnownCompetition[] = [
  known('bbl', 'BBL | Big Bash | Big Bash League | KFC BBL'),
  known('wbbl', 'WBBL | Womens Big Bash | Womens Big Bash League | Weber WBBL', 'women'),
  known('ipl', 'IPL | Indian Premier League'),
  known('wpl', 'WPL | Womens Premier League', 'women'),
  known('hundred', 'The Hundred | The Hundred Mens'),
  known('hundred-women', 'The Hundred Womens | The Hundred Women', 'women'),
  known('sheffield-shield', 'Sheffield Shield'),
  known('marsh-cup', 'Marsh Cup | One Day Cup Australia'),
  known('wncl', 'WNCL', 'women'),
];
const SOCCER_ANYWHERE: readonly KnownCompetition[] = [
  known('epl', 'EPL | English Premier League | England Premier League'),
  known('wsl', 'WSL | FA WSL | English WSL | Barclays WSL', 'women'),
  known('fa-cup', 'FA Cup | English FA Cup'),
  known('efl-cup', 'EFL Cup | English League Cup | Carabao Cup'),
  known('a-league', 'A League | A League Men | Isuzu UTE A League'),
  known('a-league-women', 'A League Women | W League | Ninja A League', 'women'),
  known('mls', 'MLS | Major League Soccer'),
  known('nwsl', 'NWSL', 'women'),
  known('champions-league', 'UEFA Champions League'),
  known('womens-champions-league', 'UEFA Womens Champions League | UWCL', 'women'),
  known('youth-league', 'UEFA Youth League', 'youth'),
  known('premier-league-2', 'Premier League 2 | PL2', 'youth'),
];
const RUGBY: readonly KnownCompetition[] = [
  known('super-rugby', 'Super Rugby | Super Rugby Pacific'),
  known('super-w', 'Super W | Super Rugby Women | Super Rugby Aupiki', 'women'),
  known('six-nations', 'Six Nations | Guinness Six Nations'),
  known('womens-six-nations', 'Womens Six Nations | Six Nations Women', 'women'),
  known('urc', 'URC | United Rugby Championship'),
  known('top-14', 'Top 14'),
];
const HOCKEY: readonly KnownCompetition[] = [
  known('nhl', 'NHL | National Hockey League'),
  known('nhl-preseason', 'NHL Preseason | NHL Pre Season'),
  known('ahl', 'AHL | American Hockey League'),
  known('pwhl', 'PWHL', 'women'),
];
const BASEBALL: readonly KnownCompetition[] = [
  known('mlb', 'MLB | Major League Baseball'),
  known('mlb-spring-training', 'MLB Spring Training | MLB Preseason | Spring Training'),
];
const FOOTBALL: readonly KnownCompetition[] = [
  known('nfl', 'NFL | National Football League'),
  known('nfl-preseason', 'NFL Preseason | NFL Pre Season'),
  known('ncaaf', 'NCAAF | NCAA Football | College Football'),
];

/** By sport. A sport missing here has none. */
export const COMPETITIONS: Readonly<Record<string, readonly KnownCompetition[]>> = {
  nrl: LEAGUE,
  nrlw: LEAGUE,
  super_league: LEAGUE,
  afl: RULES,
  aflw: RULES,
  nba: BASKETBALL,
  wnba: BASKETBALL,
  basketball_other: BASKETBALL,
  cricket_test: CRICKET,
  cricket_other: CRICKET,
  // This sport has one Premier League; the others have dozens.
  soccer_epl: [...SOCCER_ANYWHERE, known('epl', 'Premier League | Barclays Premier League')],
  soccer_other: SOCCER_ANYWHERE,
  rugby_union: RUGBY,
  nhl: HOCKEY,
  mlb: BASEBALL,
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
};
