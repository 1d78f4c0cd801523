import { Fresh, Given, type Sample, type Value } from './sample.ts'

/** For a shell: outside single quotes, the shell substitutes. */
export function inCurl({ method, address, key, body }: Sample): string {
  const path = address.map((part) => (part instanceof Given ? `$${part.name}` : part)).join('')
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${/[$&?]/.test(path) ? `"${path}"` : path}`,
    `  -H "Authorization: Bearer $${key}"`,
  ]
  if (body !== undefined) lines.push(`  -H 'Content-Type: application/json'`, `  -d '${written(body, '  ')}'`)
  return lines.join(' \\\n')
}

function written(value: Value, indent: string): string {
  if (value instanceof Given) return `"'"$${value.name}"'"`
  if (value instanceof Fresh) return `"${quoted(value.prefix)}'"$(date +%s)"'"`
  if (typeof value !== 'object' || value === null) return quoted(JSON.stringify(value))
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${written(item, inner)}`)
    : Object.entries(value).map(([name, item]) => `${inner}"${name}": ${written(item, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? open + close : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`)
}
