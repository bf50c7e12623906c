"""How a check's report looks in a notebook: in light themes and dark ones, of Jupyter and others.

Jupyter and VS Code tell their colours in variables, and whether they are dark on the page's body.
Where neither does, the reader's system decides, and the report has a ground of its own.
"""

_LIGHT = (
    "--ink:#1d2433;--muted:#545d6e;--line:#c3cad5;--tint:#f1f4f8;--paper:#fff;"
    "--passed:#0f5f8c;--failed:#a84208;--wrong:#fbe3d6;--right:#d9ecf8;color-scheme:light"
)
_DARK = (
    "--ink:#e4e8ef;--muted:#aab3c2;--line:#4b5362;--tint:#252a33;--paper:#15181d;"
    "--passed:#83c7f2;--failed:#ffb185;--wrong:#5a2d16;--right:#143f5a;color-scheme:dark"
)
_DARK_PAGES = (
    'body[data-jp-theme-light="false"] .cr.cr,body.vscode-dark .cr.cr,'
    "body.vscode-high-contrast:not(.vscode-high-contrast-light) .cr.cr,html[theme=dark] .cr.cr"
)
_UNTOLD = "body:not([data-jp-theme-light],.vscode-light,.vscode-dark,.vscode-high-contrast)"

STYLE = f"""<style>
.cr.cr{{{_LIGHT}}}
@media(prefers-color-scheme:dark){{{_UNTOLD} .cr.cr{{{_DARK}}}}}
{_DARK_PAGES}{{{_DARK}}}
.cr.cr{{box-sizing:border-box;overflow-wrap:anywhere;padding:2px 12px 8px 2px;color:var(--ink);
background:var(--jp-layout-color0,var(--vscode-editor-background,var(--paper)));
font:14px/1.5 var(--jp-ui-font-family,system-ui,sans-serif)}}
.cr.cr p,.cr.cr figure,.cr.cr section,.cr.cr dl,.cr.cr dd,.cr.cr dt{{margin:0;padding:0}}
.cr.cr .cr-head{{font-size:15px;font-weight:600;margin-bottom:6px}}
.cr.cr .cr-passed{{color:var(--passed)}}
.cr.cr .cr-failed{{color:var(--failed)}}
.cr.cr section{{margin:0 0 10px;padding:6px 0 8px 12px;border-left:4px solid var(--failed)}}
.cr.cr .cr-claim{{color:var(--muted)}}
.cr.cr code,.cr.cr pre{{font:13px/1.5 var(--jp-code-font-family,ui-monospace,monospace);
color:inherit;background:none;border:0;padding:0;margin:0}}
.cr.cr p code,.cr.cr summary code,.cr.cr dd code{{background:var(--tint);padding:1px 4px;
border-radius:4px}}
.cr.cr .cr-scroll{{overflow-x:auto;max-width:100%}}
.cr.cr .cr-scroll:focus-visible{{outline:2px solid var(--passed);outline-offset:2px}}
.cr.cr .cr-side{{display:grid;grid-auto-flow:column;grid-template-columns:minmax(14em,24em);
grid-auto-columns:max-content;justify-content:start;gap:0 24px;margin-top:6px}}
.cr.cr .cr-column span{{display:block;font-size:12px;font-weight:600;color:var(--muted)}}
.cr.cr pre{{white-space:pre;word-break:normal}}
.cr.cr pre.cr-wraps{{white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;max-width:26em}}
.cr.cr mark{{color:inherit;font-weight:700;border-radius:3px;
background:var(--right)}}
.cr.cr .cr-came mark{{background:var(--wrong)}}
.cr.cr details{{margin:0 0 2px}}
.cr.cr summary{{cursor:pointer}}
.cr.cr details[open]{{padding-bottom:8px}}
.cr.cr details .cr-scroll,.cr.cr details p{{padding-left:18px}}
.cr.cr figure{{margin-top:12px}}
.cr.cr figcaption{{font-style:normal;font-weight:600;text-align:left}}
.cr.cr table.cr-chart{{width:auto;margin:4px 0 0;border:0;border-spacing:2px;
border-collapse:separate;table-layout:auto;font-size:13px;color:inherit;font-variant-numeric:tabular-nums}}
.cr.cr table.cr-chart thead,.cr.cr table.cr-chart tbody tr{{background:none;border:0}}
.cr.cr table.cr-chart th,.cr.cr table.cr-chart td{{border:0;padding:4px 8px;text-align:center;
vertical-align:middle;font-weight:400;white-space:nowrap;max-width:none}}
.cr.cr table.cr-chart td{{border-radius:4px}}
.cr.cr table.cr-chart thead th{{color:var(--muted);padding:0 8px}}
.cr.cr table.cr-chart tbody th,.cr.cr table.cr-chart thead th:first-child{{text-align:right}}
.cr.cr table.cr-bars td,.cr.cr table.cr-bars th+th{{text-align:left}}
.cr.cr table.cr-frames td b{{border:2px solid var(--ink);border-radius:6px;padding:2px 6px}}
.cr.cr .cr-track{{display:inline-block;width:180px;margin-right:8px;vertical-align:middle}}
.cr.cr .cr-track i{{display:block;height:16px;min-width:1px;border-radius:3px;background:#5b78b8}}
.cr.cr dl{{display:grid;grid-template-columns:max-content 1fr;gap:4px 14px}}
.cr.cr dt{{font-weight:600;width:auto;float:none}}
.cr.cr dd{{width:auto;float:none;overflow-wrap:anywhere}}
@media(max-width:480px){{.cr.cr .cr-side{{grid-auto-flow:row;gap:4px 16px;
grid-template-columns:max-content max-content}}
.cr.cr .cr-column:first-child{{grid-column:1/-1}}
.cr.cr pre.cr-wraps{{max-width:18em}}
.cr.cr .cr-track{{width:110px}}}}
</style>"""
