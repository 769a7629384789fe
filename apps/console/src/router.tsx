import { createRootRoute, createRouter } from "@tanstack/react-router"
import { Loading } from "./components/loading.tsx"
import { pagesOfData } from "./pages/data/routes.ts"
import { pagesOfEvaluation } from "./pages/evaluation/routes.ts"
import { pagesOfHome } from "./pages/home/routes.ts"
import { pagesOfJudges } from "./pages/judges/routes.ts"
import { pagesOfSettings } from "./pages/settings/routes.ts"
import { ErrorPage } from "./shell/error-page.tsx"
import { Frame } from "./shell/frame.tsx"
import { NotFoundPage } from "./shell/not-found-page.tsx"

/** Creates the router of the console. A page is loaded when it is opened. The search of its address has the state of its table. */
export function createConsoleRouter() {
  const root = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage })
  const pages = [pagesOfHome, pagesOfData, pagesOfEvaluation, pagesOfJudges, pagesOfSettings]
  return createRouter({
    routeTree: root.addChildren(pages.flatMap((pagesOf) => pagesOf(root))),
    defaultErrorComponent: ErrorPage,
    defaultPendingComponent: Loading,
    defaultPreload: "intent",
    scrollRestoration: true,
  })
}
export type ConsoleRouter = ReturnType<typeof createConsoleRouter>
