import { nearestNames, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { sayText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { findPage, readPages } from "./find-page.ts"

const ROOT = new URL("../../../../../docs/", import.meta.url)

/** Runs `assay docs [word]`: prints the page or section that a word names, or the list of pages. @throws `not_found` */
export async function printDocs(context: Context, word: string | undefined, options: JsonOption): Promise<void> {
  const pages = readPages(ROOT)
  if (word === undefined) {
    const data = pages.map(({ name, title }) => ({ name, title }))
    const width = Math.max(...data.map(({ name }) => name.length))
    const list = () => data.map(({ name, title }) => `${name.padEnd(width)}  ${title.replaceAll("`", "")}\n`).join("")
    return print(context, options, { data }, list)
  }
  const found = findPage(pages, word)
  if (found === undefined) {
    const near = nearestNames(
      word,
      pages.map(({ name }) => name.split("/")[1] ?? name),
    )
    const meant = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`
    throw new AssayError(
      "not_found",
      `No page has the word '${printable(word)}'; \`assay docs\` lists the pages.${meant}`,
    )
  }
  const { page, text, others } = found
  await print(context, options, { page: page.name, title: page.title, text, others }, () => text)
  if (options.json !== true && others.length > 0) sayText(context.stderr, `\nmore: ${others.join(", ")}\n`)
}
