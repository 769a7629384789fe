import { rules, type Requirement } from "./requirement.ts"

/** The web console. */
export const CONSOLE: readonly Requirement[] = [
  ...rules("console.md#serving", {
    "console.served":
      "A browser gets the console at each address that no program uses; unknown API addresses stay JSON.",
    "console.csp": "The content security policy of the console allows files of the server alone.",
    "console.not-found": "An address that no page has is 404, and the console shows that there is no such page.",
    "console.cached": "Scripts and styles are kept for good, and the page is checked again on each visit.",
  }),
  ...rules("console.md#signing-in", {
    "console.session":
      "A browser exchanges a token for a cookie, which ends with the token and writes for pages of the server alone.",
    "console.rights": "A page offers what the token allows. A direct address says which right is missing.",
    "console.sign-in": "The console asks for a token, and offers only what it allows.",
    "console.session-ends":
      "If a session ends, the console asks for a token, and then shows the page of the same address.",
  }),
  ...rules("console.md#pages", {
    "console.audit": "Admins see who changed what, and filter it.",
    "console.tokens": "Admins create tokens, which are shown once, and revoke them.",
    "console.address": "An address shows the same filters, order, columns and row after a reload.",
    "console.files":
      "Every file of a fileset is listed in its folder and found by a part of its path, however many there are.",
    "console.previews":
      "A file is shown beside its list: text, Markdown, JSON, pictures and the first rows of files with rows. Nothing in it runs.",
    "console.drops":
      "Files are dropped on the list of filesets, which asks for a name, and on the files of a fileset, into the open folder.",
    "console.density": "The height of rows is a choice for all tables that the browser keeps.",
    "console.compare":
      "A comparison shows the verdict of the scores that decide and of no others, and draws each score on its own axis.",
    "console.trends":
      "Scores of jobs are drawn over time with intervals and the limits of gates; a dataset has a leaderboard, and a baseline its history.",
    "console.why-worse":
      "Keys alone lead from a job to a proposed baseline, to the rows that became worse, and to the words in which both answers differ.",
    "console.verdict":
      "The page of a job shows its verdict beside its status, lists and titles say it, and COMPLETED does not look like PASS.",
    "console.jobs":
      "Jobs are sorted by scores and every other column, found by words of their description, model, configuration, dataset and id, and selected together.",
    "console.launch":
      "A launch is one file, written as text with completions and faults on their lines, and in a form; its plan asks no model, drafts are kept, and several models are several jobs.",
    "console.prompt":
      "A prompt is tried with models side by side on ten rows, after the page has said how many requests it sends, and becomes an evaluation.",
    "console.spending":
      "Spending shows what each month has cost by workspace, model and job, and the current month as a forecast.",
    "console.budget":
      "The budget of a workspace is set, changed and removed on its page, which shows what was used of it.",
    "console.continue": "A job with failed rows offers to ask them again, and a resume only if it would ask rows.",
    "console.rows":
      "Rows of a job show fields of items as columns, and failing rows are counted, marked and reached by a key from anywhere on the page.",
    "console.make-test":
      "A button makes a row a test: a line of a dataset, the lines of an evaluation file that ask it again, and the command that does the same.",
    "console.conversations":
      "A conversation is shown turn by turn with its calls and scores, its end and its state, and two runs side by side from where they part.",
    "console.printable":
      "Control characters of texts are shown as `⟨U+202E⟩`, and the text around them keeps its order.",
    "console.keys": "Tables are moved through by keys.",
    "console.focus":
      "In walks by keys alone, each element with the focus is in sight, uncovered and marked, and no step loses the focus.",
    "console.even-scores": "Scores of a column have equal decimals; scores that are 0 or 1 have none.",
    "console.walk":
      "A newcomer runs the example, finds the worst row and a bad row of an own file, launches, follows the remedy of a broken endpoint, and calibrates two judges.",
    "console.labels": "Rows of a job are labelled by keys, and the judge is corrected by the labels.",
    "console.million-rows": "A table shows the rows of a list that is higher than a browser allows.",
    "console.theme": "Light and dark follow the system or a choice.",
    "console.accessible": "axe-core has no serious finding on any page in light and dark.",
    "console.narrow": "Pages fit a narrow screen, and a row of a list is two lines on a phone.",
    "console.main-way": "A condition has one main button, and a title at most three buttons and a menu.",
    "console.guides": "Pages, forms, fields of a launch and codes lead to the documentation.",
    "console.errors": "An error shows its message, its code and the remedy.",
    "console.bad-rows":
      "Rows of a file have the number of invalid ones, their kinds of issues, the next one by `n`, filters with counts, statistics of a column, and downloads.",
    "console.try-schema": "A row schema is tried on the first 1,000 rows before it is stored.",
    "console.help":
      "The documentation is at `/help` without sign-in, found by `Ctrl K`, and codes of errors and conditions lead to it.",
    "console.quiet":
      "An open page asks nothing but one event stream while nothing changes, and shows what others change.",
    "console.bytes": "The scripts and styles of the first page are at most 120,000 bytes with Brotli.",
    "console.connection": "A lost connection shows and heals itself.",
    "console.history": "The history of a fileset lists changes, compares revisions, and restores one after a question.",
    "console.deletes": "Each deletion asks first or can be undone.",
    "console.ends":
      "The end of a job is announced once over all tabs, as a notification if the user has allowed it by a click, and in the title of a tab that nobody sees.",
    "console.trash":
      "The deletion of a file, a fileset or jobs can be undone from its notice, and the trash restores filesets and jobs or deletes them for good.",
    "console.first-steps": "Home runs examples that need no model, and links to what came of them.",
    "console.attention": "Home shows jobs that failed or met a condition.",
  }),
  ...rules("console.md#judges", {
    "console.playground":
      "The playground of a guardrail shows each rail's prompt, the judge's words, the verdict and the decision.",
    "console.guardrail-editor":
      "A guardrail is edited as YAML or JSON, and a fault is shown on its line while somebody types.",
    "console.saved-prompts":
      "A guardrail is tried on prompts that are saved with what it has to decide, also with changes that are not saved yet.",
    "console.certificates":
      "A certificate file is opened with the picture and the sentence of the command, and no guarantee that its counts contradict.",
    "console.calibration":
      "A calibration report of a job or of a file is shown with thresholds and wrongly judged prompts.",
    "console.calibration-job": "A form calibrates judges by a job of the server, which leads to its report.",
    "console.fit-judges":
      "A judge that fails a gate or has a condition open is never recommended, whatever a file says.",
    "console.secret-values": "The value of a secret is written and never shown.",
  }),
]
