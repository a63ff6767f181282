#pragma once

namespace tailcost {

/// The page's style sheet. Series colours are those of Okabe and Ito (2008), lifted a little on dark ground; nothing is told by colour
/// alone.
inline constexpr const char* page_style = R"css(
:root{color-scheme:light dark;--page:#fff;--ink:#1b1f24;--soft:#59636e;--line:#d9dee3;--grid:#e8ecef;--band:#eef0f2;--panel:#f6f8f9;
--good:#00684b;--bad:#a33f00;
--series-0:#0072b2;--series-1:#d55e00;--series-2:#009e73;--series-3:#b0568f;--series-4:#8a6d00;--series-5:#2f9ad0;--series-6:#000;--series-7:#7a7a7a}
@media (prefers-color-scheme:dark){:root{--page:#14171a;--ink:#e6e9ec;--soft:#9aa4ae;--line:#343b42;--grid:#262c32;--band:#22272c;--panel:#1b1f23;
--good:#3fc99a;--bad:#ff9a5c;
--series-0:#56b4e9;--series-1:#ff8a3d;--series-2:#2fc79a;--series-3:#e08fc0;--series-4:#d9b430;--series-5:#9ccfee;--series-6:#fff;--series-7:#a8a8a8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header,footer{max-width:1000px;margin:0 auto;padding:0 24px}
header{padding-top:44px}
.brand{margin:0;color:var(--soft);font-size:13px;letter-spacing:.06em;text-transform:uppercase}
h1{margin:4px 0 10px;font-size:28px;line-height:1.2;font-weight:650;letter-spacing:-.01em}
.lead{margin:0 0 8px;font-size:19px;line-height:1.45;max-width:44em}
h2{margin:52px 0 6px;padding-top:18px;border-top:1px solid var(--line);font-size:21px;line-height:1.3;font-weight:650}
h3{margin:30px 0 4px;font-size:16px;font-weight:650}
p{margin:6px 0 12px;max-width:48em}
.note,.facts{color:var(--soft);font-size:14px}
ul{margin:6px 0 14px;padding-left:20px;max-width:48em}
li{margin:5px 0}
.scroll,.plot{overflow-x:auto}
table{border-collapse:collapse;margin:10px 0 14px;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:5px 14px 5px 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500;vertical-align:bottom}
tbody th{color:var(--ink);font-weight:500;text-align:left;white-space:normal;min-width:9em;max-width:18em}
th:first-child,td:first-child,.left{text-align:left}
tr>:last-child{padding-right:0}
.uncertain-cell{color:var(--soft)}
.better{color:var(--good)}.worse{color:var(--bad)}.none{color:var(--soft)}
.better,.worse{font-weight:600}
svg{display:block;width:100%;min-width:640px;height:auto;margin:12px 0 4px;font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
svg text{fill:var(--ink)}svg .axis{fill:var(--soft)}
svg .grid{stroke:var(--grid);stroke-width:1}svg .zero{stroke:var(--soft);stroke-width:1.5}
svg .curve{fill:none;stroke-width:2;stroke-linejoin:round}svg .curve.uncertain{stroke-width:1.4;opacity:.45;stroke-dasharray:4 3}
svg .band{fill:var(--band)}
svg g path,svg g circle{fill:none;stroke-width:2}
svg g.better path,svg g.better circle{stroke:var(--good)}svg g.worse path,svg g.worse circle{stroke:var(--bad)}svg g.none path,svg g.none circle{stroke:var(--soft)}
svg g.better .full{fill:var(--good)}svg g.worse .full{fill:var(--bad)}svg g .open{fill:var(--page)}
svg .word.better{fill:var(--good)}svg .word.worse{fill:var(--bad)}svg .word.none{fill:var(--soft);font-weight:400}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 44px}
details{margin:14px 0;border-top:1px solid var(--line)}summary{cursor:pointer;padding:10px 0;font-weight:600}
footer{margin-top:60px;padding-top:16px;padding-bottom:48px;color:var(--soft);font-size:13px}
footer p{max-width:none;overflow-wrap:anywhere;margin:4px 0}
@media (max-width:720px){.pair{grid-template-columns:1fr}main,header,footer{padding-left:16px;padding-right:16px}h1{font-size:24px}.lead{font-size:17px}}
@media print{h2{break-after:avoid}.plot,table{break-inside:avoid}}
)css";

}  // namespace tailcost
