import { writeFileSync } from 'node:fs'
import { makeSbom } from './make-sbom.ts'

// `npm run sbom`: writes florin.cdx.json beside package.json, to be kept with a release or given to a scanner.

const file = new URL('../../florin.cdx.json', import.meta.url)
const sbom = await makeSbom()
writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`)
process.stdout.write(`florin.cdx.json: ${sbom.components.length} components\n`)
