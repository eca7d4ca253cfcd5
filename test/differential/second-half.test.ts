import { playSeeds } from "./play-seeds.ts";

playSeeds(500, 500);
