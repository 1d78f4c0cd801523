import { html, trusted, type Html } from '../../../platform/http/html.ts'
import type { Accents } from '../../merchants/brand/accent.ts'
import type { Language } from './mail-words.ts'

// An e-mail as text and as HTML. Mail programs know tables and inline styles; the stylesheet adds the dark colours
// where it is understood, and without it the light ones are complete.

export type Email = {
  readonly language: Language
  readonly tone: 'good' | 'bad' | 'calm'
  readonly subject: string
  readonly from: string
  readonly heading: string
  readonly amount: string | undefined
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly rows: readonly (readonly [string, string])[]
  /** The items, their total and the included tax; separate from the other rows. */
  readonly items?: readonly EmailItem[]
  /** Words and address; the first is a button. */
  readonly links?: readonly (readonly [string, string])[]
  readonly footer: string
  /** How to reach the merchant, line by line. */
  readonly contact?: readonly string[]
  readonly logoUrl?: string
  readonly accents?: Accents
  readonly test: string | undefined
}

export type EmailItem = {
  readonly name: string
  readonly amount: string
  /** A line in our words. */
  readonly kind?: 'total' | 'tax'
}

const lineLength = 72

export function drawText(email: Email): string {
  const { items = [], links = [], contact = [] } = email
  const parts = [
    ...(email.test === undefined ? [] : [wrap(email.test)]),
    [email.heading, email.amount].filter(Boolean).join(': '),
    email.greeting,
    ...email.paragraphs.map(wrap),
    ...(items.length === 0 ? [] : [columns(items.map(({ name, amount }) => [name, amount]))]),
    columns(email.rows),
    ...links.map(([label, url]) => `${label}:\n${url}`),
    wrap(email.footer),
    ...(contact.length === 0 ? [] : [[email.from, ...contact].join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n')
}

function wrap(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > lineLength) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"

// The colours of base.css: a mail can't use its custom properties, since half of the programs drop them.
const styles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body, table, td { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
  @media (prefers-color-scheme: dark) {
    .paper { background-color: #161512 !important; }
    .surface { background-color: #201f1b !important; border-color: #3a382f !important; }
    .line { border-color: #3a382f !important; }
    .ink { color: #f1eee5 !important; }
    .quiet { color: #aaa598 !important; }
    .good { color: #6fcf9f !important; }
    .bad { color: #ff8f84 !important; }
    .test { background-color: #3a2f12 !important; color: #f6dc94 !important; border-color: #6b5720 !important; }
  }
  @media (max-width: 480px) {
    .outer { padding: 16px 8px !important; }
    .inner { padding: 24px 20px 12px !important; }
    .amount { font-size: 28px !important; }
    .amount.long { font-size: 21px !important; }
  }`

export function drawHtml(email: Email): Html {
  const isArabic = email.language === 'ar'
  const [start, end] = isArabic ? (['right', 'left'] as const) : (['left', 'right'] as const)
  return html`<!doctype html>
<html lang="${email.language}" dir="${isArabic ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${email.subject}</title>
<style>${trusted(styles)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f6f4ef;">
${drawPreview(email)}
<div role="main">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f6f4ef;">
<tr><td class="outer" align="center" style="padding:40px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;">
<tr><td class="ink" align="${start}" style="${trusted(font)};font-size:17px;line-height:24px;font-weight:600;color:#1c1b18;padding:0 4px 16px;overflow-wrap:anywhere;">${email.logoUrl !== undefined && html`<img src="${email.logoUrl}" alt="" height="40" style="display:block;max-width:160px;height:40px;width:auto;border:0;margin:0 0 8px;">`}<bdi>${email.from}</bdi></td></tr>
${email.test !== undefined && testBanner(email.test, start)}
<tr><td class="surface inner" align="${start}" style="background-color:#fffefb;border:1px solid #ddd8cc;border-radius:10px;padding:32px 32px 20px;${trusted(font)};">
${drawHeading(email)}
${email.amount !== undefined && drawAmount(email.amount)}
<p class="ink" style="margin:24px 0 0;font-size:15px;line-height:24px;color:#1c1b18;overflow-wrap:anywhere;">${email.greeting}</p>
${email.paragraphs.map((text) => html`<p class="ink" style="margin:8px 0 0;font-size:15px;line-height:24px;color:#1c1b18;overflow-wrap:anywhere;">${text}</p>`)}
${(email.items ?? []).length > 0 && drawItems(email.items ?? [], start, end)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;">
${email.rows.map(([label, value]) => drawRow(label, value, start, end))}
</table>
${(email.links ?? []).map(([label, url], index) => drawLink(label, url, index === 0 ? email.accents : undefined, index === 0))}
</td></tr>
<tr><td class="quiet" align="${start}" style="${trusted(font)};font-size:13px;line-height:20px;color:#5f5b52;padding:16px 4px 0;overflow-wrap:anywhere;">${email.footer}${(email.contact ?? []).map((line, index) => html`<br>${index === 0 && html`<br>`}<bdi>${line}</bdi>`)}</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`
}

// Programs show the beginning of a mail beside its subject. Ours would be the shop's name and "Hello".
function drawPreview({ paragraphs }: Email): Html {
  return html`<div style="display:none;max-height:0;overflow:hidden;">${paragraphs[0]}${trusted('&nbsp;&zwnj;'.repeat(60))}</div>`
}

const tones = {
  good: { colour: '#17603f', mark: '✓' },
  bad: { colour: '#a32018', mark: '✕' },
  calm: { colour: '#1c1b18', mark: '→' },
} as const

function drawHeading({ tone, heading, language }: Email): Html {
  const { colour } = tones[tone]
  const mark = tone === 'calm' && language === 'ar' ? '←' : tones[tone].mark
  return html`<h1 class="${tone === 'calm' ? 'ink' : tone}" style="margin:0;font-size:15px;line-height:24px;font-weight:600;color:${colour};"><span aria-hidden="true">${mark}&nbsp; </span>${heading}</h1>`
}

function drawItems(items: readonly EmailItem[], start: string, end: string): Html {
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;">
${items.map((item) => drawItem(item, start, end))}
</table>`
}

function drawItem({ name, amount, kind }: EmailItem, start: string, end: string): Html {
  const isTax = kind === 'tax'
  const style = trusted(
    kind === 'total'
      ? 'border-top:1px solid #ddd8cc;padding:10px 0 4px;font-size:15px;line-height:20px;font-weight:600;vertical-align:top;color:#1c1b18'
      : `padding:${isTax ? '0' : '4px'} 0;font-size:${isTax ? '13px' : '15px'};line-height:20px;vertical-align:top;color:${isTax ? '#5f5b52' : '#1c1b18'}`,
  )
  const ink = isTax ? 'quiet' : 'ink'
  return html`<tr>
<td class="${ink} line" align="${start}" style="${style};overflow-wrap:anywhere;"><bdi>${name}</bdi></td>
<td class="${ink} line" align="${end}" style="${style};padding-${start}:16px;white-space:nowrap;font-variant-numeric:tabular-nums;"><bdi>${amount}</bdi></td>
</tr>`
}

/** The first is a button in the merchant's colour, with white text that is readable on both backgrounds. */
function drawLink(label: string, url: string, accents: Accents | undefined, isButton: boolean): Html {
  const ground = accents?.light.accent ?? '#17603f'
  const button = trusted(
    `display:inline-block;background-color:${ground};color:#ffffff;font-weight:600;text-decoration:none;border-radius:8px;padding:12px 20px`,
  )
  if (!isButton) {
    return html`<p style="margin:12px 0 12px;font-size:15px;line-height:20px;"><a class="ink" href="${url}" style="color:#1c1b18;">${label}</a></p>`
  }
  return html`<p style="margin:24px 0 0;font-size:15px;line-height:20px;"><a href="${url}" style="${button}">${label}</a></p>`
}

const longAmount = 13 // characters; beyond, the largest size would not fit

function drawAmount(amount: string): Html {
  const isLong = amount.replace(/[\u2066\u2069]/g, '').length > longAmount
  return html`<p class="ink amount ${isLong && 'long'}" style="margin:4px 0 0;font-size:${isLong ? '28px' : '40px'};line-height:1.2;font-weight:600;color:#1c1b18;font-variant-numeric:tabular-nums;"><bdi>${amount}</bdi></p>`
}

// In characters: a reference or a name that fits beside its label is never broken; the label breaks at its spaces.
const shortValue = 16

function drawRow(label: string, value: string, start: string, end: string): Html {
  const cell = trusted(
    'border-top:1px solid #ddd8cc;padding:12px 0;font-size:15px;line-height:20px;vertical-align:top',
  )
  const breaks = trusted(
    value.length <= shortValue ? 'white-space:nowrap' : 'overflow-wrap:anywhere;word-break:break-word',
  )
  return html`<tr>
<td class="quiet line" align="${start}" style="${cell};color:#5f5b52;"><bdi>${label}</bdi></td>
<td class="ink line" align="${end}" style="${cell};color:#1c1b18;padding-${start}:16px;${breaks};font-variant-numeric:tabular-nums;"><bdi>${value.replace(/(\d\d:\d\d) (?=\S+$)/, '$1\u00a0')}</bdi></td>
</tr>`
}

function testBanner(text: string, start: string): Html {
  return html`<tr><td style="padding:0 0 12px;"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="test" align="${start}" style="background-color:#fbeec6;border:1px solid #e0be5e;border-radius:10px;padding:12px 16px;${trusted(font)};font-size:15px;line-height:22px;color:#5c3d00;">${text}</td></tr></table></td></tr>`
}
