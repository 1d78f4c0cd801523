import { Fresh, Given, type Sample, type Value } from './sample.ts'

export function inNode({ method, address, key, body, isFile }: Sample): string {
  const options = [
    method !== 'GET' && `  method: '${method}',`,
    body === undefined
      ? `  headers: { authorization: \`Bearer \${process.env.${key}}\` },`
      : `  headers: {\n    authorization: \`Bearer \${process.env.${key}}\`,\n    'content-type': 'application/json',\n  },`,
    body !== undefined && `  body: JSON.stringify(${writtenJs(body, '  ')}),`,
  ]
  return `const answer = await fetch(${addressIn(address)}, {
${options.filter((line) => line !== false).join('\n')}
})
${isFile ? readsText : readsJson}`
}

const readsJson = `const { status, message, data } = await answer.json()
if (status !== 'success') throw new Error(message)
console.log(data)`

const readsText = `if (!answer.ok) throw new Error((await answer.json()).message)
console.log(await answer.text())`

function addressIn(address: Sample['address']): string {
  const text = address
    .map((part) => (part instanceof Given ? `\${encodeURIComponent(process.env.${part.name})}` : part))
    .join('')
  return address.length === 1 ? quoted(text) : `\`${text}\``
}

export function writtenJs(value: Value, indent: string): string {
  if (value instanceof Given) return `process.env.${value.name}`
  if (value instanceof Fresh) return `\`${value.prefix}\${Date.now()}\``
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${writtenJs(item, inner)},`)
    : Object.entries(value).map(([name, item]) => `${inner}${name}: ${writtenJs(item, inner)},`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? open + close : `${open}\n${lines.join('\n')}\n${indent}${close}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
