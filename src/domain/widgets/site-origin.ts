// The origins of the sites that may embed a widget (A 4.13). They are compared exactly, and stand in a Content-Security-Policy. Pure.

/** No character that ends a source or a directive of a policy. */
const FORM = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;
/** A browser treats these as secure over http too. */
const THIS_MACHINE = ['localhost', '127.0.0.1'];

/** What is wrong with an origin, completing "… is not allowed: "; null: nothing. */
export function originProblem(text: string): string | null {
  if (text.includes('*')) return 'wildcards are not supported, list each origin';
  if (!URL.canParse(text)) return 'it is no origin, such as https://www.example.com';
  const { origin, protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && THIS_MACHINE.includes(hostname)))
    return 'it must begin with https://; http:// is for localhost alone';
  if (origin === text && FORM.test(origin)) return null;
  return FORM.test(origin) ? `write it as ${origin}` : 'its host must be a name, without special characters';
}
