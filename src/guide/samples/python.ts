import { Fresh, Given, type Sample, type Value } from './sample.ts'

export function inPython(sample: Sample): string {
  const { method, address, key, body, isFile } = sample
  const authorization = `"Authorization": "Bearer " + os.environ["${key}"]`
  const options = [
    `    ${addressIn(address)},`,
    method !== 'GET' && `    method="${method}",`,
    body === undefined
      ? `    headers={${authorization}},`
      : `    headers={\n        ${authorization},\n        "Content-Type": "application/json",\n    },`,
    body !== undefined && `    data=json.dumps(${written(body, '    ')}).encode(),`,
  ]
  return `${importsOf(sample)}
request = urllib.request.Request(
${options.filter((line) => line !== false).join('\n')}
)
try:
    answer = ${isFile ? 'urllib.request.urlopen(request).read().decode()' : 'json.load(urllib.request.urlopen(request))'}
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["message"])
print(${isFile ? 'answer' : 'answer["data"]'})`
}

function importsOf({ address, body }: Sample): string {
  const hasFresh = body !== undefined && written(body, '').includes('time.time_ns()')
  const names = ['json', 'os', hasFresh && 'time', 'urllib.error']
  const all = [...names, address.length > 1 && 'urllib.parse', 'urllib.request']
  return all.map((name) => (name === false ? '' : `import ${name}\n`)).join('')
}

function addressIn(address: Sample['address']): string {
  return address
    .map((part) =>
      part instanceof Given ? `urllib.parse.quote(os.environ["${part.name}"], safe="")` : quoted(part),
    )
    .join(' + ')
}

function written(value: Value, indent: string): string {
  if (value instanceof Given) return `os.environ["${value.name}"]`
  if (value instanceof Fresh) return `f"${value.prefix}{time.time_ns()}"`
  if (typeof value === 'string') return quoted(value)
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return String(value)
  const inner = `${indent}    `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${written(item, inner)},`)
    : Object.entries(value).map(([name, item]) => `${inner}"${name}": ${written(item, inner)},`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return lines.length === 0 ? open + close : `${open}\n${lines.join('\n')}\n${indent}${close}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
