import type { Operation } from '../http/openapi/openapi.ts'

/** A call that can be pasted into a shell. A test pastes each. */
export function curlOf(operation: Operation, baseUrl: string): string {
  const { method, body, key } = operation
  const address = quote(`${operation.server ?? baseUrl}${pathOf(operation)}`)
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${address}`]
  if (key !== 'in the form') lines.push(`  -H "Authorization: Bearer $${keyVariables[key]}"`)
  if (body?.type === 'application/json') {
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -d ${quote(JSON.stringify(body.example, null, 2))}`,
    )
  }
  return lines.join(' \\\n')
}

export const keyVariables = { secret: 'FLORIN_KEY', api: 'FLORIN_API_KEY' } as const

function pathOf({ path, parameters = [] }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    return encodeURIComponent((schema?.['example'] as string | undefined) ?? name)
  })
}

function quote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
