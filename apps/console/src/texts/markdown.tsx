import { Lexer, type Token, type Tokens } from "marked"
import type { ReactElement, ReactNode } from "react"

/** Deeper parts are shown as they are written. */
const MAX_DEPTH = 16
const SAFE_ADDRESS = /^(?:https?|mailto):/iu

/**
 * Renders Markdown as elements. HTML inside of it is text, pictures are links, and links lead to HTTP and mail alone, so that a hostile text
 * can do nothing but be read. A text that is nested too deeply for the parser is shown as it is.
 */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  return (
    <div className="markdown" dir="auto">
      {renderTokens(parsed(text), 0)}
    </div>
  )
}

function parsed(text: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true }).lex(text)
  } catch (error) {
    // The parser calls itself for each level of quotes and lists.
    if (!(error instanceof RangeError)) throw error
    return [{ type: "text", raw: text, text }]
  }
}

function renderTokens(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) => {
    const key = positionKey(index)
    return <MarkdownToken key={key} token={token} depth={depth + 1} />
  })
}

interface MarkdownTokenProps {
  readonly token: Token
  readonly depth: number
}

function MarkdownToken({ token, depth }: MarkdownTokenProps): ReactNode {
  if (depth > MAX_DEPTH) return <PlainText text={token.raw} />
  const inner = () => renderTokens((token as Tokens.Generic).tokens, depth)
  switch (token.type) {
    case "space":
    case "def":
      return null
    case "hr":
      return <hr />
    case "br":
      return <br />
    case "heading":
      // The page has headings of its own.
      return <p className="heading">{inner()}</p>
    case "paragraph":
      return <p>{inner()}</p>
    case "blockquote":
      return <blockquote>{inner()}</blockquote>
    case "code":
      return <pre tabIndex={0}>{(token as Tokens.Code).text}</pre>
    case "list":
      return <MarkdownList list={token as Tokens.List} depth={depth} />
    case "table":
      return <MarkdownTable table={token as Tokens.Table} depth={depth} />
    case "checkbox":
      return (token as Tokens.Checkbox).checked ? "☑ " : "☐ "
    case "strong":
      return <strong>{inner()}</strong>
    case "em":
      return <em>{inner()}</em>
    case "del":
      return <s>{inner()}</s>
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>
    case "link":
    case "image":
      return <MarkdownLink link={token as Tokens.Link | Tokens.Image} depth={depth} />
    case "escape":
      return <PlainText text={(token as Tokens.Escape).text} />
    case "text":
      return (token as Tokens.Text).tokens === undefined ? <PlainText text={(token as Tokens.Text).text} /> : inner()
    default:
      return <PlainText text={token.raw} />
  }
}

/** Renders a part of a text inside a fragment, so that its control characters are shown. */
function PlainText({ text }: { readonly text: string }): ReactElement {
  return <>{text}</>
}

function MarkdownList({ list, depth }: { readonly list: Tokens.List; readonly depth: number }): ReactElement {
  const items = list.items.map((item, index) => {
    const key = positionKey(index)
    return <li key={key}>{renderTokens(item.tokens, depth)}</li>
  })
  return list.ordered ? <ol start={list.start === "" ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
}

function MarkdownTable({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }): ReactElement {
  return (
    <div className="table-scroll">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, column) => {
              const key = positionKey(column)
              return <th key={key}>{renderTokens(cell.tokens, depth)}</th>
            })}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => {
            const key = positionKey(index)
            return <MarkdownRow key={key} row={row} depth={depth} />
          })}
        </tbody>
      </table>
    </div>
  )
}

function MarkdownRow({ row, depth }: { readonly row: Tokens.TableCell[]; readonly depth: number }): ReactElement {
  return (
    <tr>
      {row.map((cell, column) => {
        const key = positionKey(column)
        return <td key={key}>{renderTokens(cell.tokens, depth)}</td>
      })}
    </tr>
  )
}

/** Returns the key of a part of a text: it has no other identity than its position. */
function positionKey(index: number): string {
  return `part ${index}`
}

/** Renders a link with its address, which the words could hide. A picture is not loaded. */
function MarkdownLink({
  link,
  depth,
}: {
  readonly link: Tokens.Link | Tokens.Image
  readonly depth: number
}): ReactNode {
  const { href, text, raw, type } = link
  if (!SAFE_ADDRESS.test(href)) return <PlainText text={raw} />
  return (
    <a href={href} title={href} target="_blank" rel="noreferrer noopener">
      {type === "image" ? `picture: ${text === "" ? href : text}` : renderTokens(link.tokens, depth)}
    </a>
  )
}
