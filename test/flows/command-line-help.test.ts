import { lists } from '../../src/app/commands/lists.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { catalogue } from '../../src/app/commands/catalogue.ts'
import { readWords } from '../../src/app/commands/completion.ts'
import { testConfig } from '../support/house.ts'
import { runFlorin } from '../support/run-florin.ts'
import { twoAtOnce } from '../support/two-at-once.ts'

// What a person reads before the first command: help, the page about it, and what the Tab key offers.

const entries = catalogue.flatMap(({ commands }) => commands)
const names = entries.map(({ name }) => name)
const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8')

test('--help works everywhere, on stdout, without a database', async () => {
  const asked = [['--help'], ...names.map((name) => [name, '--help']), ['key', 'create', '--help']]
  await twoAtOnce(asked, async (args) => {
    const { code, out, err } = await runFlorin(args, { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
    assert.deepEqual([code, err], [0, ''], args.join(' '))
    assert.ok(!args[1] || out.startsWith(`florin ${args[0]}`), `${args.join(' ')} says what it is about`)
    const wide = out.split('\n').filter((line) => line.length > 80)
    assert.deepEqual(wide, [], 'fits a terminal of 80 columns')
  })
  assert.deepEqual(await runFlorin(['help', 'key']), await runFlorin(['key', '--help']))
  assert.match((await runFlorin(['--version'])).out, /^florin \d+\.\d+\.\d+(\+[\da-f]{7})?\n$/)
})

test('the overview names every command once, in its group', async () => {
  const { out } = await runFlorin(['--help'])
  const listed = [...out.matchAll(/^ {2}florin (\S+) +\S/gm)].map((match) => match[1])
  assert.deepEqual(listed, names)
  for (const { title } of catalogue) assert.ok(out.includes(`\n${title}\n`), title)
})

test('docs/command-line.md shows every command’s help unchanged, in the same order and groups', async () => {
  const helps = await Promise.all(entries.map(async (entry) => (await entry.load()).help))
  const blocks = [...page.matchAll(/^```\n(florin [^]*?)\n```$/gm)].map((match) => match[1])
  assert.deepEqual(blocks, helps)
  const titles = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1])
  assert.deepEqual(
    titles.filter((title) => catalogue.some((group) => group.title === title)),
    catalogue.map(({ title }) => title),
  )
})

test('every option in a help text exists', async () => {
  for (const { name, load } of await loaded()) {
    const { verbs, options } = readWords(name, load.help)
    for (const option of options.filter((one) => one !== '--help')) {
      const said: string[] = []
      // The last word keeps the command from doing anything: it is understood by none.
      for (const verb of [[], ...verbs.map((one) => [one])])
        await assert.rejects(
          load.run(testConfig(), [...verb, option, '--no-such-option'], lists),
          (error: Error) => Boolean(said.push(error.message)),
        )
      const isTaken = said.some((line) => !/^Say |^EVENT /.test(line) && !line.includes(`'${option}'`))
      assert.ok(isTaken, `florin ${name} ${option}: ${said.join('; ')}`)
    }
  }
})

async function loaded() {
  return Promise.all(entries.map(async (entry) => ({ name: entry.name, load: await entry.load() })))
}

test('every florin command in docs/, the guide and the README exists, with its options', async () => {
  const helps = new Map(
    await Promise.all(entries.map(async (entry) => [entry.name, (await entry.load()).help] as const)),
  )
  const root = new URL('../../', import.meta.url)
  const files = ['README.md', ...inFolder('docs', '.md'), ...inFolder('src/guide/chapters', '.ts')]
  let seen = 0
  for (const file of files) {
    // A line that ends in a backslash goes on in the next one.
    const written = readFileSync(new URL(file, root), 'utf8').replaceAll(/\\\n\s*/g, ' ')
    for (const [line, name = '', rest = ''] of written.matchAll(
      /(?<=^|[\s`'(>])(?:bin\/)?florin ([a-z][a-z-]*)([^`\n<]*)/g,
    )) {
      const help = helps.get(name)
      if (help === undefined) {
        assert.ok(!line.startsWith('bin/'), `${file}: ${line}`)
        continue
      }
      seen += 1
      const { options } = readWords(name, help)
      const unquoted = rest.replaceAll(/'[^']*'|"[^"]*"/g, '').split(/ [|&>#]|\\n/)[0] ?? ''
      for (const [option] of unquoted.matchAll(/--[a-z][a-z-]*/g))
        assert.ok(options.includes(option), `${file}: ${line} has ${option}, which florin ${name} has not`)
    }
  }
  assert.ok(seen > 100, `${seen} were looked at`)

  function inFolder(folder: string, ending: string): string[] {
    return readdirSync(new URL(`${folder}/`, root))
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name}`)
  }
})

test('tab completion knows commands, verbs, options and their values', async () => {
  for (const shell of ['bash', 'zsh']) {
    const { code, out } = await runFlorin(['completion', shell])
    assert.equal(code, 0)
    for (const name of names) assert.ok(out.includes(name), `${shell}: ${name}`)
    assert.match(out, /'key --kind'\) \w+='secret api form' ;;/)
    assert.match(out, /'notifications --kind'\) \w+='ipn mail' ;;/)
    assert.match(out, /trigger\) \w+='payment\.success payment\.failed payment\.cancelled refund\.success/)
    assert.match(out, /worker\) \w+='--help' ;;/, 'a sentence about another command is no option')
  }
  const { code, err } = await runFlorin(['completion', 'fish'])
  assert.deepEqual([code, err], [64, 'Name a shell: florin completion bash or zsh\n'])
})

test('bash completion works, if bash is installed', async () => {
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path))
  if (bash === undefined) return
  const script = (await runFlorin(['completion', 'bash'])).out
  const ask = `complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _florin; echo "\${COMPREPLY[*]}"; }
    complete_words florin no
    complete_words florin notifications re
    complete_words florin key create --kind ''
    complete_words florin payments list --unt`
  const child = spawn(bash, ['--norc', '-c', `${script}\n${ask}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(out, 'notifications\nresend resume\nsecret api form\n--until\n')
})

test('zsh completion works, if zsh is installed, and falls back to files', async () => {
  const zsh = ['/bin/zsh', '/usr/bin/zsh', '/usr/local/bin/zsh'].find((path) => existsSync(path))
  if (zsh === undefined) return
  const script = (await runFlorin(['completion', 'zsh'])).out
  // What compinit would bring, as little of it as the script needs.
  const shell = `compdef() { print "compdef $*"; }
    _files() { print files; }
    compadd() { shift; local found=(\${(M)@:#$current*}); (( $#found )) && print -r -- $found; }
    complete_words() { words=("$@"); CURRENT=$#; _florin; }`
  const ask = `complete_words florin no
    complete_words florin notifications re
    complete_words florin key create --kind ''
    complete_words florin backup ./no`
  const child = spawn(zsh, ['-f', '-c', `${shell}\n${script}\n${ask}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(out, 'compdef _florin florin\nnotifications\nresend resume\nsecret api form\nfiles\n')
})
