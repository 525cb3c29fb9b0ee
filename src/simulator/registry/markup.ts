// The parts that all pages of the registry share: its frame and the names of months.
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const frame = (title: string, body: string): string => `<!DOCTYPE html>
<html><head><title>${escaped(title)} - Racing Australia</title></head><body>
<form method="post" id="form1"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUKLTE=" />
<div id="page-content">
${body}
</div></form></body></html>
`;

export const row = (cells: readonly string[], tag: 'td' | 'th' = 'td', attributes = ''): string =>
  `<tr${attributes}>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
