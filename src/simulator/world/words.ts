// The word lists for names of runners, people and races. Data only. All combinations are invented; they refer to no
// real person.
const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const FIRST_WORDS = list(`
  Amber Ancient Arctic Autumn Azure Bashful Bitter Blazing Bold Brass Breezy Bronze Busy Candid Canny Cardinal Carefree
  Cedar Chasing Cheeky Cinder Clever Cobalt Copper Coral Cosmic Crimson Crystal Curious Dancing Daring Dashing Dawn Desert
  Distant Double Dusty Eager Early Ebony Electric Elusive Emerald Endless Evening Faithful Feather Fearless Fleeting Flying
  Forest Frosted Gallant Gentle Gilded Glacier Golden Granite Hasty Hidden Hollow Honest Humble Indigo Iron Ivory Jade Jolly
  Kindred Lantern Lasting Laughing Lively Lonely Lucky Lunar Magnetic Mellow Merry Midnight Misty Modest Mountain Noble
  Northern Opal Paper Patient Pearl Plucky Polished Proud Quiet Quick Radiant Ragged Rapid Restless River Rolling Roving
  Russet Sapphire Scarlet Secret Shining Silent Silver Singing Sleepy Smoky Solar Southern Spirited Stormy Sudden Sunlit
  Swift Tawny Tender Thunder Tidal Timber Topaz Turbo Twilight Upbeat Urban Velvet Vivid Wandering Western Whisper Wild
  Willing Winter Witty Wonder Woven Yonder Zesty
`);

export const SECOND_WORDS = list(`
  Acorn Almanac Anthem Anvil Apollo Archer Armada Arrow Atlas Aurora Avenue Badge Ballad Banjo Banner Baron Beacon Bishop
  Blossom Bonanza Boomer Borough Bouquet Bramble Brigade Caravan Carnival Cascade Cavalier Chapel Charade Chime Cipher
  Citadel Clipper Comet Compass Concerto Convoy Corsair Cottage Courier Crusade Cyclone Dagger Delta Dialogue Domino Duchess
  Echo Eclipse Embers Emblem Empire Enigma Envoy Falcon Fanfare Festival Fiddle Fable Flame Fortune Frontier Galaxy Gambit
  Garland Gazette Glider Goblet Gospel Harbour Harvest Hawk Heirloom Herald Horizon Hunter Infinity Jester Jewel Journey
  Keeper Kingdom Lagoon Legend Lullaby Magnet Majesty Marlin Marvel Maverick Meadow Medley Meridian Mirage Monarch Monsoon
  Mosaic Mystique Nomad Oracle Orbit Outlaw Palace Panther Paragon Passage Patriot Pilgrim Pioneer Piper Planet Poet Prelude
  Promise Prophet Quartet Quest Quill Ranger Raven Rebel Rhapsody Rhythm Riddle Rocket Saga Sailor Savanna Sceptre Scholar
  Sentinel Serenade Shadow Sierra Signal Skipper Sonata Sparrow Spectre Sprite Summit Symphony Tango Tempest Temple Thistle
  Tiller Tornado Treasure Tribune Trident Triumph Valiant Vanguard Venture Verdict Voyager Warden Waltz Willow Zephyr
`);

export const GIVEN_NAMES = list(`
  Alana Ambrose Beth Brody Callum Carys Dallas Darcy Elise Ewan Felix Freya Gideon Greta Hamish Hollis Imogen Ivor Jarrah
  Jolie Keira Lachie Linus Maeve Milo Nadia Nash Odette Orla Piers Quinn Rafe Rhona Saskia Spencer Tamsin Tobin Una Verity
  Wes Willa Xander Yara Zane
`);

export const SURNAMES = list(`
  Abberwick Aldermoor Ashgrave Bannockford Barrowfell Birchmore Blackmarsh Brackenholt Bramwick Brindlecote Calderbrook
  Carrowmore Castlemere Cawdrell Cloverley Copperthorn Corrivale Cragmoor Dallowmere Dapplecroft Dewsbrook Dunmarrow
  Eastermoor Elmsgate Fallowdene Farthingale Fenwright Fernhollow Galloworth Garrowby Glenhurley Gorsefield Hartlemoor
  Hawksworthy Hazelcroft Heathermead Hollinbrough Ironmonde Kestrelby Kindlewood Larkmarsh Lindenroe Lockermoor Maplethorpe
  Marrowby Merridew Millhaven Mossgrave Netherwick Oakenfell Orchardine Otterbrook Pellowdale Pennymarsh Quarrington
  Ravenmoor Rookhampton Rowanleigh Saltmarrow Sedgebrook Shelderwick Silverthwaite Sparrowick Starkendale Stonecrake
  Swanmere Tarnbrook Thistledew Tindlewood Underhollow Vellacourt Wainthorpe Wetherlyn Whinfell Willowmarsh Wrenfield
  Yarrowdene Yewcombe
`);

export const SPONSORS: readonly string[] = [
  'Riverbend Motors',
  'Gumleaf Bakery',
  'Southgate Plumbing',
  'Harvest Moon Hotel',
  'Bluestone Fencing',
  'Wattle Creek Wines',
  'Ironbark Timber',
  'Coastline Tyres',
  'Lantern Street Cafe',
  'Kookaburra Solar',
  'Redgum Earthmoving',
  'Paddock To Plate',
  'Tideway Marine',
  'Fairweather Roofing',
  'Magpie Print',
  'Currawong Feeds',
];

export const COATS = list('b br ch gr bl rn');
