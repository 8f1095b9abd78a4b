#!/usr/bin/python3
"""paper_numbers.py counts as LaTeX does, and its table has every label."""

import sys
import tomllib
import unittest
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from paper_numbers import numbers, roman  # noqa: E402

PAPER = r"""
\newtheorem{theorem}{Theorem}[section]
\begin{document}
\section{One}
\begin{equation} a \label{eq:first} \end{equation}
% \begin{equation} not there \end{equation}
\begin{equation*} b \end{equation*}
\section{Two}\label{sec:two}
\subsection{Part}
\subsection{Other part}\label{sec:part}
\subsubsection{Detail}\label{sec:detail}
\begin{align} \label{eq:row1} a &= b \\ &= \begin{bmatrix} c \\ d \end{bmatrix} \notag \\
  &= 50\% \label{eq:row3} \end{align}
\begin{align} a \nonumber + b \label{eq:without} \end{align}
\begin{equation} \begin{aligned} e \\ f \end{aligned} \label{eq:last} \end{equation}
\begin{figure} \begin{subfigure}{1} \caption{a} \label{fig:a} \end{subfigure}
  \begin{subfigure}{1} \caption{b} \label{fig:b} \end{subfigure} \caption{all} \label{fig:all} \end{figure}
\begin{table} \caption{t} \label{tab:one} \end{table}
\begin{figure} \caption{alone} \label{fig:alone} \end{figure}
\appendices
\section{Proofs}\label{app:proofs}
\begin{theorem}\label{thm:one} \begin{equation} x \label{eq:inside} \end{equation} \end{theorem}
\begin{corollary}\label{cor:one}\end{corollary}
\begin{corollary}\label{cor:two}\end{corollary}
\begin{lemma}\label{lem:one}\end{lemma}
\begin{corollary}\label{cor:three}\end{corollary}
\subsection*{Without a number}\label{app:unnumbered}
\section{More}
\begin{theorem}\label{thm:two}\end{theorem}
\begin{table} \caption{t} \label{tab:two} \end{table}
\end{document}
"""


class PaperNumbers(unittest.TestCase):
    def test_counts_as_latex_does(self):
        self.assertEqual(
            numbers(PAPER),
            {
                "eq:first": "Equation 1",
                "sec:two": "Section II",
                "sec:part": "Section II-B",
                "sec:detail": "Section II-B1",
                "eq:row1": "Equation 2",
                "eq:row3": "Equation 3",
                "eq:without": "in Section II-B1",
                "eq:last": "Equation 4",
                "fig:a": "Figure 1a",
                "fig:b": "Figure 1b",
                "fig:all": "Figure 1",
                "tab:one": "Table I",
                "fig:alone": "Figure 2",
                "app:proofs": "Appendix A",
                "thm:one": "Theorem A.1",
                "eq:inside": "Equation 5",
                "cor:one": "Corollary A.1.1",
                "cor:two": "Corollary A.1.2",
                "lem:one": "Lemma A.2",
                "cor:three": "Corollary A.2.1",
                "app:unnumbered": "in Appendix A",
                "thm:two": "Theorem B.1",
                "tab:two": "Table II",
            },
        )

    def test_a_label_twice_is_refused(self):
        with self.assertRaises(ValueError):
            numbers(r"\section{a}\label{x:y}\section{b}\label{x:y}")

    def test_roman_numerals(self):
        self.assertEqual([roman(n) for n in (1, 4, 9, 14, 40)], ["I", "IV", "IX", "XIV", "XL"])

    def test_the_table_has_every_label(self):
        table = tomllib.loads((ROOT / "paper" / "claims" / "numbers.toml").read_text())
        lines = (HERE / "paper_labels.txt").read_text().splitlines()
        self.assertEqual(set(table), {line for line in lines if line and not line.startswith("#")})
        # What the paper says of itself: its figures 1 and 2, and its sections IV and V.
        self.assertEqual(table["fig:fp_exact_approx"], "Figure 1")
        self.assertEqual(table["fig:full_fp_exact_approx_p_E"], "Figure 2")
        self.assertEqual((table["sec:exact"], table["sec:sgd"]), ("Section IV", "Section V"))


if __name__ == "__main__":
    unittest.main()
