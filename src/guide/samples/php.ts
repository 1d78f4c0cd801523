import { Fresh, Given, type Sample, type Value } from './sample.ts'

export function inPhp({ method, address, key, body, isFile }: Sample): string {
  const authorization = `'Authorization: Bearer ' . getenv('${key}')`
  const options = [
    method !== 'GET' && `    'method' => '${method}',`,
    body === undefined
      ? `    'header' => ${authorization},`
      : `    'header' => [\n        ${authorization},\n        'Content-Type: application/json',\n    ],`,
    body !== undefined && `    'content' => json_encode(${writtenPhp(body, '    ')}),`,
    `    'ignore_errors' => true, // read the answer of a refusal too`,
  ]
  return `<?php
$context = stream_context_create(['http' => [
${options.filter((line) => line !== false).join('\n')}
]]);
$url = ${addressIn(address)};
${isFile ? readsText : readsJson}`
}

const readsJson = `$answer = json_decode(file_get_contents($url, false, $context), true);
if ($answer['status'] !== 'success') {
    throw new RuntimeException($answer['message']);
}
print_r($answer['data']);`

const readsText = `$text = file_get_contents($url, false, $context);
if (!str_contains($http_response_header[0], ' 200')) {
    throw new RuntimeException(json_decode($text, true)['message']);
}
echo $text;`

function addressIn(address: Sample['address']): string {
  return address
    .map((part) => (part instanceof Given ? `rawurlencode(getenv('${part.name}'))` : quoted(part)))
    .join(' . ')
}

export function writtenPhp(value: Value, indent: string): string {
  if (value instanceof Given) return `getenv('${value.name}')`
  if (value instanceof Fresh) return `${quoted(value.prefix)} . uniqid()`
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}    `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${writtenPhp(item, inner)},`)
    : Object.entries(value).map(([name, item]) => `${inner}'${name}' => ${writtenPhp(item, inner)},`)
  // An empty object would be a list in PHP.
  if (lines.length === 0) return Array.isArray(value) ? '[]' : '(object) []'
  return `[\n${lines.join('\n')}\n${indent}]`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
