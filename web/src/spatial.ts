import { runPage } from "./run_page";
import { spaceView } from "./space_view";

runPage(spaceView);
