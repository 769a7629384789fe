import { html, type Html } from "./html.ts"
import { PAGE_STYLE } from "./page-style.ts"

export interface Page {
  readonly title: string
  /** CSS that this page needs besides the style that all pages share. */
  readonly style?: string
  readonly main: Html
}

/** Renders a report as one page. Its content security policy lets it load nothing and run nothing. */
export function formatPage({ title, style = "", main }: Page): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>${title}</title>
        <style>
          ${{ html: PAGE_STYLE + style }}
        </style>
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html> `
  return page.html
}
