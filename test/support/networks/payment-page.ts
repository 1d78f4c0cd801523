// The page of a stand-in: what a customer of the network would see, with a button for each end.

export type Choice = { readonly action: string; readonly label: string }

export type PaymentPage = {
  readonly network: string
  readonly title: string
  readonly amount: string
  /** What is bought. */
  readonly lines?: readonly string[]
  readonly notice?: string
  readonly action: string
  readonly choices: readonly Choice[]
}

export function drawPage({
  network,
  title,
  amount,
  lines = [],
  notice,
  action,
  choices,
}: PaymentPage): string {
  const buttons = choices
    .map(({ action: value, label }) => `<button name="action" value="${value}">${escape(label)}</button>`)
    .join('\n')
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(network)} (stand-in)</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
button { display: block; width: 100%; font: inherit; padding: .7rem; margin: .6rem 0; cursor: pointer }
.banner { background: #fc6; color: #000; padding: .5rem .8rem } .amount { font-size: 2rem; margin: 0 }
</style>
<p class="banner">This is no real ${escape(network)}: it runs on your machine, and no money moves.</p>
<h1>${escape(title)}</h1>
<p class="amount">${escape(amount)}</p>
${lines.map((line) => `<p>${escape(line)}</p>`).join('\n')}
${notice === undefined ? '' : `<p role="alert">${escape(notice)}</p>`}
<form method="post" action="${escape(action)}">
${buttons}
</form></html>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
