/** The fields of a form; one that comes more than once is a list. */
export function parseForm(text: string): Readonly<Record<string, string | string[]>> {
  const form = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(form.keys())].map((key) => {
      const values = form.getAll(key)
      return [key, values.length === 1 ? (values[0] ?? "") : values]
    }),
  )
}
