/** The text of a page as a browser reads it: our pages spell e-mails beyond ASCII by their numbers. */
export function asRead(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
