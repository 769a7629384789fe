import type { ReactElement } from "react"
import { WithCode } from "../with-code.tsx"
import { useErrorWords } from "./use-error-words.ts"

/** Renders what to do about a failure. */
export function Remedy({ text }: { readonly text: string }): ReactElement {
  return (
    <p className="remedy">
      <b>Remedy</b> <WithCode text={text} />
    </p>
  )
}

/** Renders what to do about the error with a code, as the catalogue says it. */
export function RemedyOf({ code }: { readonly code: string }): ReactElement | null {
  const { remedy } = useErrorWords(code)
  return remedy === undefined ? null : <Remedy text={remedy} />
}
