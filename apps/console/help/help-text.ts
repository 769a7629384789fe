import { posix } from "node:path"
import { Marked, type Tokens } from "marked"

/** A heading of a page, and the fragment that leads to it. */
export interface HelpHeading {
  readonly text: string
  readonly id: string
}

/** The contents of a page of the documentation. */
export interface HelpText {
  readonly title: string
  readonly html: string
  /** Its headings of the second and third level. */
  readonly headings: readonly HelpHeading[]
}

/** Returns the address of a page, by its path below the folder of the documentation. Undefined: the server does not have the page. */
export type AddressOfPage = (path: string) => string | undefined

/** Renders Markdown of the documentation. Links to pages that the server does not have are text, and so is HTML. */
export function renderHelp(markdown: string, path: string, addressOf: AddressOfPage): HelpText {
  const headings: HelpHeading[] = []
  const used = new Map<string, number>()
  let title = ""
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      html: () => "",
      image: ({ text }: Tokens.Image) => escaped(text),
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens)
        const plain = text.replaceAll("`", "")
        if (depth === 1 && title === "") title = plain
        const id = idOf(plain, used)
        if (depth === 2 || depth === 3) headings.push({ text: plain, id })
        return `<h${depth} id="${escaped(id)}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens)
        const address = addressOfLink(href, path, addressOf)
        return address === undefined ? inner : `<a href="${escaped(address)}">${inner}</a>`
      },
      table(token: Tokens.Table) {
        const keyOf = ([first]: readonly Tokens.TableCell[]) => {
          const key = /^`([^`]+)`$/u.exec(first?.text ?? "")?.[1]
          return key === undefined ? "" : ` id="${escaped(idOf(`key-${key}`, used))}"`
        }
        const cells = (row: readonly Tokens.TableCell[], tag: string, id = "") =>
          `<tr${id}>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`
        const rows = token.rows.map((row) => cells(row, "td", keyOf(row))).join("")
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${cells(token.header, "th")}</thead><tbody>${rows}</tbody></table></div>\n`
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { title, html, headings }
}

/** Returns the fragment of a heading as GitHub writes it, because the links of the documentation use that. */
function idOf(text: string, used: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/gu, "-")
  const count = used.get(id) ?? 0
  used.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

function addressOfLink(href: string, path: string, addressOf: AddressOfPage): string | undefined {
  if (/^(?:https?:|mailto:|#)/u.test(href)) return href
  const [target = "", fragment] = href.split("#")
  const address = addressOf(posix.normalize(posix.join(posix.dirname(path), target)))
  return address === undefined || fragment === undefined ? address : `${address}#${fragment}`
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
}
