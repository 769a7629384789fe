import { useEffect, useRef, type ReactElement } from "react"
import "./palette.css"

const KEYS: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["Ctrl K", "go to a page, fileset, model, job, guardrail or part of the documentation"],
      ["?", "these keys"],
    ],
  },
  {
    title: "Tables",
    keys: [
      ["j k ↓ ↑", "next and previous row"],
      ["Home End", "first and last row"],
      ["Enter", "open the row"],
      ["/", "go to the filter"],
      ["Esc", "close the row"],
      ["x", "select a job"],
    ],
  },
  {
    title: "Rows of a file, wherever the focus is",
    keys: [["n N", "next and previous row with an issue"]],
  },
  {
    title: "Rows of a job, wherever the focus is",
    keys: [
      ["j k ↓ ↑", "next and previous row"],
      ["n N", "next and previous failing row"],
    ],
  },
  {
    title: "Labels",
    keys: [
      ["1 … 9", "the judge's answers in their order"],
      ["y n", "the judge's yes and no"],
      ["u", "unsure"],
      ["Ctrl Z", "take the last label back"],
    ],
  },
]

/** Renders the dialog that lists the keys of all pages. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className="keys" aria-label="Keys" onClose={onClose}>
      {KEYS.map(({ title, keys }) => (
        <section key={title}>
          <h2>{title}</h2>
          <table>
            <tbody>
              {keys.map(([key, does]) => (
                <tr key={key}>
                  <td>
                    <kbd>{key}</kbd>
                  </td>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
      <p className="actions">
        <a className="button" href="/help">
          Documentation
        </a>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </p>
    </dialog>
  )
}
