import { useQuery } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { usePageKeys } from "../components/use-page-keys.ts"

type Opened = "palette" | "keys"

/** Opens the palette by Ctrl-K or its button, and the list of keys by `?`. Both are loaded when they are first opened. */
export function Shortcuts({ hidden }: { readonly hidden: readonly string[] }): ReactElement {
  const [opened, setOpened] = useState<Opened>()
  const { data } = useQuery({
    queryKey: ["part", "palette"],
    queryFn: async () => ({
      ...(await import("./palette/palette.tsx")),
      ...(await import("./palette/keys-help.tsx")),
    }),
    enabled: opened !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  usePageKeys({ k: () => setOpened("palette") }, { withControl: true, inFields: true })
  usePageKeys({ "?": () => setOpened("keys") })
  const close = () => setOpened(undefined)
  return (
    <>
      <button type="button" className="quiet go-to" onClick={() => setOpened("palette")}>
        Go to <kbd>Ctrl K</kbd>
      </button>
      {opened === "palette" && data !== undefined ? <data.Palette hidden={hidden} onClose={close} /> : null}
      {opened === "keys" && data !== undefined ? <data.KeysHelp onClose={close} /> : null}
    </>
  )
}
