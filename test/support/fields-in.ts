/** The hidden fields of a form in a page, as a browser reads them. */
export function fieldsIn(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" \/>/g)
  return Object.fromEntries(Array.from(inputs, ([, name = '', value = '']) => [name, plainText(value)]))
}

/** As a browser reads what stands between tags, or in an attribute. */
export function plainText(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
