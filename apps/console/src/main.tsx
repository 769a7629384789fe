import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "virtual:report-style.css"
import "./styles/base.css"
import "./styles/frame.css"
import "./styles/controls.css"
import { App } from "./app.tsx"
import { createBrowserClient } from "./api/browser-client.ts"
import { createQueries } from "./api/queries.ts"
import { SESSION_KEY } from "./api/use-session.ts"
import { createConsoleRouter } from "./router.tsx"

const root = document.querySelector("#root")
if (root !== null) {
  const queries = createQueries()
  const client = createBrowserClient(location.origin, () => {
    void queries.invalidateQueries({ queryKey: SESSION_KEY }, { cancelRefetch: false })
  })
  createRoot(root).render(
    <StrictMode>
      <App client={client} queries={queries} router={createConsoleRouter()} />
    </StrictMode>,
  )
}
