// The country that some lists write behind a venue: `Mohawk - Can`, `Veliefendi - TUR`. Only a tag that the country table knows is one.
import { countryOf } from './country';

const TAG = ' - ';

/** The venue without its tag and the tag's country; the text as it stands and null where there is none. */
export function splitCountryTag(text: string): { readonly venue: string; readonly country: string | null } {
  const at = text.lastIndexOf(TAG);
  const country =
    at > 0
      ? countryOf(
          text
            .slice(at + TAG.length)
            .trim()
            .toUpperCase(),
        )
      : null;
  return country === null ? { venue: text, country } : { venue: text.slice(0, at).trim(), country };
}
