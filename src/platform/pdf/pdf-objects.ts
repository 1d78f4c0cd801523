import { deflateSync } from 'node:zlib'

// The syntax of PDF: objects with numbers, streams, and the table that says where each begins. Nothing in it depends on when it
// was written, so the same receipt is the same file.

export class PdfObjects {
  readonly #objects: (Buffer | undefined)[] = []

  /** A number for an object that is written later. */
  reserve(): number {
    return this.#objects.push(undefined)
  }

  put(number: number, content: Buffer | string): void {
    this.#objects[number - 1] = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  }

  add(content: Buffer | string): number {
    const number = this.reserve()
    this.put(number, content)
    return number
  }

  addStream(dictionary: string, data: Buffer, isPacked = false): number {
    const packed = isPacked ? data : deflateSync(data)
    const filter = isPacked ? '' : '/Filter /FlateDecode '
    const head = `<< ${dictionary} ${filter}/Length ${packed.length} >>\nstream\n`
    return this.add(Buffer.concat([ascii(head), packed, ascii('\nendstream')]))
  }

  write(root: number, info: number): Buffer {
    const parts = [ascii('%PDF-1.7\n'), Buffer.from([0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a])]
    const offsets: number[] = []
    let length = parts.reduce((sum, part) => sum + part.length, 0)
    this.#objects.forEach((object, index) => {
      if (!object) throw new Error('An object of the PDF was not written')
      offsets.push(length)
      const whole = Buffer.concat([ascii(`${index + 1} 0 obj\n`), object, ascii('\nendobj\n')])
      parts.push(whole)
      length += whole.length
    })
    const size = offsets.length + 1
    const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const trailer = `trailer\n<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${length}\n%%EOF\n`
    parts.push(ascii(`xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}`))
    return Buffer.concat(parts)
  }
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Any text as UTF-16, in hexadecimal digits: nothing in it can end it. */
export function textString(text: string): string {
  return `<feff${utf16(text)}>`
}

export function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

/** Three decimals, without zeros at the end: `12.5`. */
export function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
