// Pages without a mechanism: the comparison of methods, the agreement of results, the region of stability, and tables.
import { agreePage, type AgreeReport } from "./agree_page";
import { comparePage, type CompareReport } from "./compare_page";
import { readReport } from "./data";
import { suitePage, type SuiteReport } from "./suite_page";
import { stabilityPage, type StabilityReport } from "./stability_page";
import { tablesPage, type TablesReport } from "./tables_page";

const report = readReport<AgreeReport | CompareReport | StabilityReport | SuiteReport | TablesReport>();
if (report.kind === "compare") comparePage(report);
else if (report.kind === "suite") suitePage(report);
else if (report.kind === "agree") agreePage(report);
else if (report.kind === "tables") tablesPage(report);
else stabilityPage(report);
