declare module "virtual:report-style.css"
