import { readArguments, UsageMistake } from '../../cli/terminal/arguments.ts'
import { print } from '../../cli/terminal/print.ts'

export const completionHelp = `florin completion bash|zsh

  Prints a script that completes commands, options and their values. Run this
  line, or add it to your shell's startup file:

    source <(florin completion bash)      in ~/.bashrc
    source <(florin completion zsh)       in ~/.zshrc

  In zsh it can also be a file named _florin in a folder of your $fpath.`

// Made of the help texts, so that what completes is what is documented.

type Words = {
  /** What may follow the command. */
  readonly verbs: readonly string[]
  readonly options: readonly string[]
  /** option → what it may be. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

export async function completion(args: string[], helps: ReadonlyMap<string, string>): Promise<void> {
  const { words } = readArguments(args, {}, 1)
  const [given] = words
  if (given !== 'bash' && given !== 'zsh')
    throw new UsageMistake('Name a shell: florin completion bash or zsh')
  const commands = new Map([...helps].map(([name, help]) => [name, readWords(name, help)]))
  print(given === 'bash' ? bashScript(commands) : zshScript(commands))
}

export function readWords(name: string, help: string): Words {
  const usage = help.split('\n\n')[0] ?? ''
  const verbs = [...usage.matchAll(new RegExp(`^florin ${name} ([a-z|.]+)`, 'gm'))].flatMap((match) =>
    (match[1] ?? '').split('|'),
  )
  // Words listed on their own, such as the events of trigger.
  const listed = [...help.matchAll(/^ {4}([a-z]+\.[a-z]+) {2,}/gm)].map((match) => match[1] ?? '')
  // What is explained, too; not what a sentence says of another command. --key is in one, as it is the worst way.
  const explained = [...help.matchAll(/^ {2}--[a-z-]+(, --[a-z-]+)*|--key\b/gm)].map((match) => match[0])
  const options = [...[usage, ...explained].join(' ').matchAll(/--[a-z][a-z-]*/g)].map((match) => match[0])
  const values = [...help.matchAll(/(--[a-z-]+) +([a-z]+(?:\|[a-z]+)+)/g)].map(
    (match): [string, string[]] => [match[1] ?? '', (match[2] ?? '').split('|')],
  )
  return {
    verbs: [...new Set([...verbs, ...listed])],
    options: [...new Set([...options, '--help'])],
    values: new Map(values),
  }
}

/** Both shells know `case`, and words that are separated by spaces. */
function cases(commands: ReadonlyMap<string, Words>): { verbs: string; options: string; values: string } {
  const entries = [...commands]
  const line = (pattern: string, words: readonly string[]): string =>
    `      ${pattern}) words='${words.join(' ')}' ;;`
  return {
    verbs: entries
      .filter(([, { verbs }]) => verbs.length > 0)
      .map(([name, { verbs }]) => line(name, verbs))
      .join('\n'),
    options: entries.map(([name, { options }]) => line(name, options)).join('\n'),
    values: entries
      .flatMap(([name, { values }]) =>
        [...values].map(([option, words]) => line(`'${name} ${option}'`, words)),
      )
      .join('\n'),
  }
}

function bashScript(commands: ReadonlyMap<string, Words>): string {
  const { verbs, options, values } = cases(commands)
  return `_florin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=''
  if [[ $COMP_CWORD -eq 1 ]]; then
    words='${[...commands.keys()].join(' ')} --help --version'
  else
    case "$command $previous" in
${values}
    esac
    if [[ -z $words && $COMP_CWORD -eq 2 && $current != -* ]]; then
      case "$command" in
${verbs}
      esac
    fi
    if [[ -z $words ]]; then
      case "$command" in
${options}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _florin florin`
}

function zshScript(commands: ReadonlyMap<string, Words>): string {
  const { verbs, options, values } = cases(commands)
  return `#compdef florin
_florin() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" command="\${words[2]}" list=''
  if (( CURRENT == 2 )); then
    list='${[...commands.keys()].join(' ')} --help --version'
  else
    case "$command $previous" in
${values.replaceAll(' words=', ' list=')}
    esac
    if [[ -z $list && $CURRENT -eq 3 && $current != -* ]]; then
      case "$command" in
${verbs.replaceAll(' words=', ' list=')}
      esac
    fi
    if [[ -z $list ]]; then
      case "$command" in
${options.replaceAll(' words=', ' list=')}
      esac
    fi
  fi
  compadd -- \${=list} || _files
}
if [[ \${funcstack[1]} == _florin ]]; then
  _florin
else
  whence compdef > /dev/null || { autoload -Uz compinit && compinit -i }
  compdef _florin florin
fi`
}
