/** The fields of a record, or what is wrong with it. */
export type SplitRecord =
  | { readonly fields: readonly string[]; readonly fault: null }
  | { readonly fields: null; readonly fault: string }

/** Splits one record of CSV (RFC 4180), given without its line end, at `delimiter`. */
export function splitRecord(text: string, delimiter: string): SplitRecord {
  if (!text.includes('"')) return { fields: text.split(delimiter), fault: null }
  const fields: string[] = []
  let at = 0
  for (;;) {
    let end = text.indexOf(delimiter, at)
    if (text[at] === '"') {
      const close = closingQuote(text, at)
      if (close === -1) return faulty(fields, "has a quote that is never closed")
      end = close + 1
      if (end < text.length && text[end] !== delimiter) return faulty(fields, "goes on after its closing quote")
      fields.push(text.slice(at + 1, close).replaceAll('""', '"'))
    } else {
      if (end === -1) end = text.length
      const field = text.slice(at, end)
      if (field.includes('"')) return faulty(fields, "has a quote inside; quote the field, and double the quote")
      fields.push(field)
    }
    if (end === text.length) return { fields, fault: null }
    at = end + 1
  }
}

/** Where the quote is that closes the one at `open`; -1 where there is none. Two in a row are one of the text. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

function faulty(before: readonly string[], fault: string): SplitRecord {
  return { fields: null, fault: `is not CSV: field ${before.length + 1} ${fault}` }
}
