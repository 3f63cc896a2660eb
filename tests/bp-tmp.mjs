const { buildPage } = await import('/work/wt/page/scripts/page.mjs');
await buildPage();
