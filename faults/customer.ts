// A customer who pays without a browser, on the same pages.

/** What the payment's page shows afterwards; unclear when no answer came. */
export type Shown = 'pay' | 'challenge' | 'waiting' | 'paid' | 'closed' | 'unclear'

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenge: '4000000000003220',
  timeOutPaid: '4000000000005043',
  timeOutNotPaid: '4000000000005050',
} as const

const patienceMs = 15_000

/** Opens the page, fills the form and presses the button once. */
export async function payOnce(
  checkoutUrl: string,
  card: string,
  answer?: 'approve' | 'refuse',
): Promise<Shown> {
  try {
    const form = await openForm(checkoutUrl)
    if (!form) return await look(checkoutUrl)
    const typed = { number: card, expiry: '12/40', cvc: '123', name: 'Ada Lovelace' }
    await send(`${checkoutUrl}/pay`, { token: form.token, ...typed })
    const shown = await look(checkoutUrl)
    if (shown !== 'challenge' || answer === undefined) return shown
    const challenge = await openForm(checkoutUrl)
    if (challenge) await send(`${checkoutUrl}/challenge`, { ...challenge, answer })
    return await look(checkoutUrl)
  } catch {
    return 'unclear'
  }
}

export type AtBank = 'pay' | 'pay_later' | 'refuse' | 'leave'

/** Chooses the bank, goes to its page, does something there and comes back; `leave` closes the page and says nothing. */
export async function payAtBank(checkoutUrl: string, decision: AtBank): Promise<Shown> {
  try {
    const form = await openForm(checkoutUrl)
    if (!form) return await look(checkoutUrl)
    const choice = { account: 'acc_test-bank', method: 'bank' }
    await send(`${checkoutUrl}/choose`, { token: form.token, ...choice })
    const away = await fetch(`${checkoutUrl}/away`, { signal: AbortSignal.timeout(patienceMs) })
    const path = /\/test-network\/tb_[0-9a-f_]+/.exec(await away.text())?.[0]
    if (path === undefined || decision === 'leave') return await look(checkoutUrl)
    await send(new URL(path, checkoutUrl).href, { answer: decision }, [303, 409])
    await fetch(`${checkoutUrl}/return`, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    return await look(checkoutUrl)
  } catch {
    return 'unclear'
  }
}

type Form = { readonly token: string; readonly attempt: string }

/** Undefined when the page has no form: the payment is over, or somebody is paying. */
async function openForm(checkoutUrl: string): Promise<Form | undefined> {
  const response = await fetch(checkoutUrl, { signal: AbortSignal.timeout(patienceMs) })
  const page = await response.text()
  if (response.status !== 200) throw new Error(`The page answered ${response.status}`)
  const token = hidden(page, 'token')
  return token === undefined ? undefined : { token, attempt: hidden(page, 'attempt') ?? '' }
}

function hidden(page: string, name: string): string | undefined {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]
}

async function send(url: string, fields: Record<string, string>, expected = [303]): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  })
  await response.arrayBuffer()
  if (!expected.includes(response.status)) throw new Error(`The form answered ${response.status}`)
}

async function look(checkoutUrl: string): Promise<Shown> {
  const response = await fetch(`${checkoutUrl}/state`, { signal: AbortSignal.timeout(patienceMs) })
  if (!response.ok) return 'unclear'
  const { screen } = (await response.json()) as { screen: string }
  return screen === 'pay' || screen === 'challenge' || screen === 'waiting' || screen === 'paid'
    ? screen
    : 'closed'
}
