// The scoring of rank_features in OpenSearch and Elasticsearch, by Lucene:
// items are FeatureFields, a query is a sum of linear functions of them, and
// what is to be subtracted comes by a rescorer.
//   Ranks ITEMS QUERIES TOP
// A line of ITEMS is `id feature:value ...`, one of QUERIES `window
// feature:boost ...`, boosts below 0 to be subtracted. Prints `id score ...`
// for each query.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;

public class Ranks {
    static final String FIELD = "features";

    static void index(IndexWriter writer, String line) throws Exception {
        String[] words = line.split(" ");
        Document d = new Document();
        d.add(new StoredField("id", words[0]));
        for (int k = 1; k < words.length; ++k) {
            String[] part = words[k].split(":");
            d.add(new FeatureField(FIELD, part[0], Float.parseFloat(part[1])));
        }
        writer.addDocument(d);
    }

    // Clauses of one sign; null where there are none.
    static Query clauses(String[] words, float sign) {
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        int n = 0;
        for (int k = 1; k < words.length; ++k) {
            String[] part = words[k].split(":");
            float boost = sign * Float.parseFloat(part[1]);
            if (boost <= 0)
                continue;
            Query linear = FeatureField.newLinearQuery(FIELD, part[0], 1);
            all.add(new BoostQuery(linear, boost), Occur.SHOULD);
            ++n;
        }
        return n > 0 ? all.build() : null;
    }

    static TopDocs search(IndexSearcher s, String line, int top) throws Exception {
        String[] words = line.split(" ");
        Query plus = clauses(words, 1), minus = clauses(words, -1);
        TopDocs first = s.search(plus, Math.max(top, Integer.parseInt(words[0])));
        if (minus == null)
            return first;
        return new QueryRescorer(minus) {
            @Override
            protected float combine(float one, boolean matches, float two) {
                return matches ? one - two : one;
            }
        }.rescore(s, first, Math.max(top, Integer.parseInt(words[0])));
    }

    public static void main(String[] args) throws Exception {
        int top = Integer.parseInt(args[2]);
        ByteBuffersDirectory folder = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(folder,
                new IndexWriterConfig(new KeywordAnalyzer()))) {
            for (String line : Files.readAllLines(Path.of(args[0])))
                index(writer, line);
        }
        IndexSearcher s = new IndexSearcher(DirectoryReader.open(folder));
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            StringBuilder out = new StringBuilder();
            ScoreDoc[] hits = search(s, line, top).scoreDocs;
            for (int k = 0; k < Math.min(top, hits.length); ++k)
                out.append(String.format(Locale.ROOT, "%s %.9g ",
                    s.doc(hits[k].doc).get("id"), hits[k].score));
            System.out.println(out);
        }
    }
}
