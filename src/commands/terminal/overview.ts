import { catalogue } from '../catalogue.ts'

/** What florin --help prints. */
export function overview(): string {
  const groups = catalogue.map(({ title, commands }) => {
    const lines = commands.map(({ name, summary }) => `  florin ${name.padEnd(16)} ${summary}`)
    return `${title}\n${lines.join('\n')}`
  })
  return `Florin, a payment service that you run yourself

${groups.join('\n\n')}

florin COMMAND --help says more; florin --version says which Florin this is.
Commands that take --mode mean test mode when it is left out. --json prints what
a program can read. Settings are environment variables or lines in .env: see
.env.example.`
}
