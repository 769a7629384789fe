import { createHash } from "node:crypto"
import { formatBytes, formatInteger, html } from "@assay/reports"
import type { FileInfo, FileList } from "@assay/schemas"

const STYLE =
  ":root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}main{max-width:64rem;margin:2rem auto;padding:0 1rem}" +
  "h1{font-size:1.2rem;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}td,th{padding:.15rem 1rem .15rem 0;text-align:left;vertical-align:top}" +
  "td:first-child{overflow-wrap:anywhere}td:nth-child(2),th:nth-child(2){text-align:right;white-space:nowrap}td:nth-child(3){white-space:nowrap}"

/** Header fields of the page. It loads nothing and runs nothing. */
export const FOLDER_PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  vary: "Accept",
} as const

export interface FolderPage {
  /** The workspace and the fileset: `default/questions`. */
  readonly fileset: string
  /** Empty, or with a slash at its end. */
  readonly folder: string
  /** Pages of the listing of one level. */
  readonly lists: AsyncIterable<FileList>
}

/** Yields a page that links to the files and folders of a folder, as programs that read such pages expect: one link for each, relative to the page. */
export async function* formatFolder({ fileset, folder, lists }: FolderPage): AsyncGenerator<string, void, undefined> {
  const title = `Index of ${fileset}/${folder}`
  const parent = html`<tr>
    <td><a href="../">../</a></td>
    <td></td>
    <td></td>
  </tr>`
  const head = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${{ html: `<style>${STYLE}</style>` }}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th>Size</th>
                <th>Changed</th>
              </tr>
            </thead>
            <tbody>
              ${folder === "" ? null : parent}
     `
  let first = head.html
  for await (const { data, folders = [] } of lists) {
    const rows = [
      ...folders.map(({ path, files }) => folderRow(path.slice(folder.length), files)),
      ...data.map(fileRow),
    ]
    yield first + rows.join("")
    first = ""
  }
  yield `${first}</tbody></table></main></body></html>\n`

  function fileRow({ path, size, updated_at }: FileInfo): string {
    const name = path.slice(folder.length)
    return html`<tr>
      <td><a href="${linkTo(name)}">${name}</a></td>
      <td title="${formatInteger(size)} bytes">${formatBytes(size)}</td>
      <td>${updated_at?.slice(0, 19).replace("T", " ")}</td>
    </tr> `.html
  }
}

/** @param name with a slash at its end */
function folderRow(name: string, files: number | null): string {
  return html`<tr>
    <td><a href="${linkTo(name)}">${name}</a></td>
    <td>${files === null ? "" : files === 1 ? "1 file" : `${formatInteger(files)} files`}</td>
    <td></td>
  </tr> `.html
}

function linkTo(name: string): string {
  return name.toWellFormed().split("/").map(encodeURIComponent).join("/")
}
