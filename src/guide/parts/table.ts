import { html, type Html, type HtmlValue } from '../../platform/http/html.ts'

/** Rows below headings. On a phone each row is a small list, its headings before the values. */
export function table(headings: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, index) => html`<td data-heading="${headings[index]}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function words(text: string): Html {
  return html`<code>${text}</code>`
}
