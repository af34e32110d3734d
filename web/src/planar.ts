import { planeView } from "./plane_view";
import { runPage } from "./run_page";

runPage(planeView);
