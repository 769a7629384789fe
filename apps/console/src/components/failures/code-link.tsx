import type { ReactElement } from "react"

export interface CodeLinkProps {
  readonly code: string
  /** The page of the reference that explains it. Default: that of errors, which has the codes of conditions too. */
  readonly page?: "errors" | "conditions"
}

/** Renders the code of an error or a condition as a link to its entry in the documentation. */
export function CodeLink({ code, page = "errors" }: CodeLinkProps): ReactElement {
  return (
    <a href={`/help/reference/${page}#${code}`} title="What this code means">
      <code>{code}</code>
    </a>
  )
}
