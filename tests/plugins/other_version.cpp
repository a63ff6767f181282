/// All that a later version is bound to: its number comes first.
extern "C" const unsigned tailcost_strategy = 999;
