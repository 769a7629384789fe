import { type Html, html } from "./html.ts"
import { COLOUR_STYLE, COMPONENT_STYLE } from "./page-style.ts"

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
          ${{ html: COLOUR_STYLE + LAYOUT_STYLE + COMPONENT_STYLE + style }}
        </style>
      </head>
      <body>
        <main>${main}</main>
      </body>
    </html> `
  return page.html
}

/** The page itself, on screens and on paper. */
const LAYOUT_STYLE = `
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 24px 80px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; letter-spacing: -.01em; }
h2 { font-size: 17px; margin: 40px 0 4px; }
@media print { body { background: #fff; } .card { break-inside: avoid; } }
`
