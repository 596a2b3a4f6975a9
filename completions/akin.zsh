#compdef akin
# zsh completion for akin. Made by tools/gen.py; do not edit.

# The options of the learner on the line.
_akin_parameters() {
    local word
    for word in $words; do
        case $word in
        solis-ada)
            options+=(
                '--eta=[step size]:X: '
                '--lambda=[strength of the L1 penalty\: larger sets more weights to zero]:X: '
                '--delta=[damps the first steps of a coordinate, about delta^2 of them]:X: '
                '--clock=[rounds that count as steps\: those with a loss, or all]:active-all:(active all)'
                '--start=[initial weights\: 1 (the plain measure of the rows), zero, a weight for the words of the positives, or a model]:measure-zero-mask-FILE:{_values measure-zero-mask-FILE measure zero mask; _files}'
                '--start-weight=[weight of the words of the positives when start is mask]:X: '
                '--units=[margin, steps and lambda relative to the triplets seen, or as published]:relative-absolute:(relative absolute)'
            )
            ;;
        solis-afb)
            options+=(
                '--eta=[step size]:X: '
                '--lambda=[strength of the L1 penalty\: larger sets more weights to zero]:X: '
                '--delta=[damps the first steps of a coordinate, about delta^2 of them]:X: '
                '--clock=[rounds that count as steps\: those with a loss, or all]:active-all:(active all)'
                '--start=[initial weights\: 1 (the plain measure of the rows), zero, a weight for the words of the positives, or a model]:measure-zero-mask-FILE:{_values measure-zero-mask-FILE measure zero mask; _files}'
                '--start-weight=[weight of the words of the positives when start is mask]:X: '
                '--units=[margin, steps and lambda relative to the triplets seen, or as published]:relative-absolute:(relative absolute)'
            )
            ;;
        solis-da)
            options+=(
                '--lambda=[strength of the L1 penalty\: larger sets more weights to zero]:X: '
                '--gamma=[how fast the weights may grow\: smaller is faster]:X: '
                '--rho=[extra L1 penalty that decreases with the rounds]:X: '
                '--clock=[rounds that count as steps\: those with a loss, or all]:active-all:(active all)'
                '--start=[initial weights\: 1 (the plain measure of the rows), zero, a weight for the words of the positives, or a model]:measure-zero-mask-FILE:{_values measure-zero-mask-FILE measure zero mask; _files}'
                '--start-weight=[weight of the words of the positives when start is mask]:X: '
                '--units=[margin, steps and lambda relative to the triplets seen, or as published]:relative-absolute:(relative absolute)'
            )
            ;;
        solis-tg)
            options+=(
                '--eta=[step size]:X: '
                '--lambda=[strength of the L1 penalty\: larger sets more weights to zero]:X: '
                '--clock=[rounds that count as steps\: those with a loss, or all]:active-all:(active all)'
                '--start=[initial weights\: 1 (the plain measure of the rows), zero, a weight for the words of the positives, or a model]:measure-zero-mask-FILE:{_values measure-zero-mask-FILE measure zero mask; _files}'
                '--start-weight=[weight of the words of the positives when start is mask]:X: '
                '--units=[margin, steps and lambda relative to the triplets seen, or as published]:relative-absolute:(relative absolute)'
            )
            ;;
        oasis-diag)
            options+=(
                '--C=[largest step for one triplet]:X: '
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
            )
            ;;
        lego-diag)
            options+=(
                '--eta=[weight of the target distance against staying]:X: '
                '--y-sim=[target squared distance of a similar pair]:X: '
                '--y-dis=[target squared distance of a dissimilar pair]:X: '
                '--targets=[reach the targets, or only the right side of them]:equality-inequality:(equality inequality)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
            )
            ;;
        qpao)
            options+=(
                '--C=[weight of a violation]:X: '
                '--w0=[initial weight of every word; -1 = auto (1 in relative units, else 0)]:X: '
                '--tol=[stop when no optimality condition is violated by more]:X: '
                '--max-sweeps=[maximum number of sweeps]:N: '
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
            )
            ;;
        lmnn-diag)
            options+=(
                '--mu=[weight of the margins; 1 - mu is that of the distances to positives]:X: '
                '--tol=[stop when the relative improvement stays below this]:X: '
                '--max-iterations=[maximum number of iterations]:N: '
            )
            ;;
        loreta-1)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--eta=[step size; 0 = auto (3, and 0.1 in relative units; 0.3 to rank labels)]:X: '
                '--max-s=[largest step in the learned space\: a longer one is cut, so that no rank is lost; 0 = no limit]:X: '
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), those of a full matrix learned from 2 RANK mistakes, random, or a model]:auto-identity-principal-zero-gauss-FILE:{_values auto-identity-principal-zero-gauss-FILE auto identity principal zero gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--form=[whether a step updates the columns of a row or all columns; auto takes the faster, the result is the same]:auto-sparse-dense:(auto sparse dense)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
                '--average=[the factors as they are at the end, or their mean over the later part]:none-tail:(none tail)'
                '--task=[compare rows, or rank their labels]:similarity-rank:(similarity rank)'
                '--ybar=[push the best wrong label down once per violation, or once per row, as the paper prints]:count-one:(count one)'
            )
            ;;
        loreta)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--eta=[step size; 0 = auto (3, and 0.1 in relative units)]:X: '
                '--max-s=[largest step in the learned space\: a longer one is cut, so that no rank is lost; 0 = no limit]:X: '
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), those of a full matrix learned from 2 RANK mistakes, random, or a model]:auto-identity-principal-zero-gauss-FILE:{_values auto-identity-principal-zero-gauss-FILE auto identity principal zero gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--form=[whether a step updates the columns of a row or all columns; auto takes the faster, the result is the same]:auto-sparse-dense:(auto sparse dense)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
                '--average=[the factors as they are at the end, or their mean over the later part]:none-tail:(none tail)'
                '--batch=[triplets per step; the cost of a step grows up to cubically]:N: '
            )
            ;;
        loreta-psd)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--eta=[step size; 0 = auto (3, and 0.1 in relative units)]:X: '
                '--max-s=[largest step in the learned space\: a longer one is cut, so that no rank is lost; 0 = no limit]:X: '
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), those of a full matrix learned from 2 RANK mistakes, random, or a model]:auto-identity-principal-zero-gauss-FILE:{_values auto-identity-principal-zero-gauss-FILE auto identity principal zero gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--form=[whether a step updates the columns of a row or all columns; auto takes the faster, the result is the same]:auto-sparse-dense:(auto sparse dense)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
                '--average=[the factors as they are at the end, or their mean over the later part]:none-tail:(none tail)'
                '--blend=[weight of the cosine of the rows themselves beside the learned score, for classes not in the training data]:X: '
            )
            ;;
        loreta-mi)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--eta=[step size; 0 = auto (3, and 0.1 in relative units)]:X: '
                '--max-s=[largest step in the learned space\: a longer one is cut, so that no rank is lost; 0 = no limit]:X: '
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), those of a full matrix learned from 2 RANK mistakes, random, or a model]:auto-identity-principal-zero-gauss-FILE:{_values auto-identity-principal-zero-gauss-FILE auto identity principal zero gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--form=[whether a step updates the columns of a row or all columns; auto takes the faster, the result is the same]:auto-sparse-dense:(auto sparse dense)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
                '--inner=[steps inside the learned space after each on the manifold]:N: '
                '--eta2=[size of a step inside the learned space]:X: '
            )
            ;;
        gd)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--eta=[step size; 0 = auto (0.3, and 0.05 in relative units)]:X: '
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), random, or a model]:auto-identity-principal-gauss-FILE:{_values auto-identity-principal-gauss-FILE auto identity principal gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--average=[the factors as they are at the end, or their mean over the later part]:none-tail:(none tail)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
            )
            ;;
        psd-gd)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--eta=[step size; 0 = auto (0.3, and 0.05 in relative units)]:X: '
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), random, or a model]:auto-identity-principal-gauss-FILE:{_values auto-identity-principal-gauss-FILE auto identity principal gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--average=[the factors as they are at the end, or their mean over the later part]:none-tail:(none tail)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
            )
            ;;
        pa)
            options+=(
                '--rank=[rank of W; 0 = auto (30, for dense rows 128; or fewer when there are fewer columns or labels)]:N: '
                '--C=[largest step for one example]:X: '
                '--order=[whether the second factor sees the step of the first]:sequential-simultaneous:(sequential simultaneous)'
                '--start=[initial factors\: the first RANK columns (identity), directions with most of the rows'\'' length (principal; auto\: for dense rows of more than RANK columns), those of a full matrix learned from 2 RANK mistakes (to rank labels only), random, or a model]:auto-identity-principal-zero-gauss-FILE:{_values auto-identity-principal-zero-gauss-FILE auto identity principal zero gauss; _files}'
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[compare rows by the nearest of at most so many clusters of the learned rows; 0 = off]:N: '
                '--average=[the factors as they are at the end, or their mean over the later part]:none-tail:(none tail)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
                '--task=[compare rows, or rank their labels]:similarity-rank:(similarity rank)'
                '--ybar=[push the best wrong label down once per violation, or once per row, as the paper prints]:count-one:(count one)'
            )
            ;;
        oasis)
            options+=(
                '--C=[largest step for one triplet]:X: '
                '--memory=[memory limit of the matrix, in GiB]:X: '
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--symmetry=[compare rows by the positive part of W + W'\'', or by W as published; auto\: positive for dense rows]:auto-positive-none:(auto positive none)'
            )
            ;;
        lego)
            options+=(
                '--eta=[weight of the target distance against staying]:X: '
                '--y-sim=[target squared distance of a similar pair]:X: '
                '--y-dis=[target squared distance of a dissimilar pair]:X: '
                '--targets=[reach the targets, or only the right side of them]:equality-inequality:(equality inequality)'
                '--units=[margin and steps relative to the triplets seen, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--memory=[memory limit of the matrix, in GiB]:X: '
            )
            ;;
        mahalanobis)
            options+=(
                '--ridge=[share of the mean variance that is added to each]:X: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
            )
            ;;
        pca)
            options+=(
                '--rank=[components kept; auto\: as `variance` says, and 200 of sparse rows at most]:N: '
                '--variance=[share of the variance that the components keep]:X: '
                '--whiten=[power of its standard deviation that a component is divided by; 1\: equal variances]:X: '
            )
            ;;
        lda)
            options+=(
                '--rank=[directions kept; auto\: classes - 1]:N: '
                '--shrinkage=[share of the diagonal in the covariance within classes; -1\: by the rule of Ledoit and Wolf]:X: '
                '--directions=[weighted\: by the share that classes have in their variance]:weighted-equal:(weighted equal)'
            )
            ;;
        itml)
            options+=(
                '--gamma=[weight of the distance targets against staying near the start]:X: '
                '--near=[upper bound on the squared distance of similar pairs; 0\: the 5th percentile of all pairs]:X: '
                '--far=[lower bound on the squared distance of dissimilar pairs; 0\: the 95th percentile of all pairs]:X: '
                '--start=[the metric to stay near\: the plain one, or mahalanobis]:identity-covariance:(identity covariance)'
                '--solver=[Newton'\''s method, or projections one pair after the other]:newton-cyclic:(newton cyclic)'
                '--tol=[stopping tolerance\: the Newton decrement, or the relative change of the multipliers in a sweep]:X: '
                '--max-iterations=[maximum number of iterations or sweeps]:N: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
            )
            ;;
        s3ml)
            options+=(
                '--beta=[weight of the pairs; auto\: a share of the largest that is safe]:auto-NUMBER:(auto)'
                '--rho=[penalty for entries that are not 0; auto\: a share of the mean entry of Sigma]:auto-NUMBER:(auto)'
                '--beta-share=[with beta auto, the share of the largest safe one]:X: '
                '--rho-share=[with rho auto, the share of the mean off the diagonal]:X: '
                '--start=[M0\: the identity in the units of the rows, or the inverse covariance]:identity-covariance:(identity covariance)'
                '--solver=[the method; paper\: as published, slow, without exact zeros]:auto-alm-quic-paper:(auto alm quic paper)'
                '--tol=[stops when the duality gap is below this]:X: '
                '--max-iterations=[maximum number of iterations; 0\: depends on the solver]:N: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
                '--neighbours=[nearest rows that a row takes its pairs from]:N: '
                '--alpha=[share that comes from these neighbours in each step]:X: '
                '--theta=[affinities below this are dropped; 0\: keep all]:X: '
            )
            ;;
        s2ml)
            options+=(
                '--beta=[weight of the pairs; auto\: a share of the largest that is safe]:auto-NUMBER:(auto)'
                '--rho=[penalty for entries that are not 0; auto\: a share of the mean entry of Sigma]:auto-NUMBER:(auto)'
                '--beta-share=[with beta auto, the share of the largest safe one]:X: '
                '--rho-share=[with rho auto, the share of the mean off the diagonal]:X: '
                '--start=[M0\: the identity in the units of the rows, or the inverse covariance]:identity-covariance:(identity covariance)'
                '--solver=[the method; paper\: as published, slow, without exact zeros]:auto-alm-quic-paper:(auto alm quic paper)'
                '--tol=[stops when the duality gap is below this]:X: '
                '--max-iterations=[maximum number of iterations; 0\: depends on the solver]:N: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
            )
            ;;
        sdml)
            options+=(
                '--beta=[weight of the pairs; auto\: a share of the largest that is safe]:auto-NUMBER:(auto)'
                '--rho=[penalty for entries that are not 0; auto\: a share of the mean entry of Sigma]:auto-NUMBER:(auto)'
                '--beta-share=[with beta auto, the share of the largest safe one]:X: '
                '--rho-share=[with rho auto, the share of the mean off the diagonal]:X: '
                '--start=[M0\: the identity in the units of the rows, or the inverse covariance]:identity-covariance:(identity covariance)'
                '--solver=[the method; paper\: as published, slow, without exact zeros]:auto-alm-quic-paper:(auto alm quic paper)'
                '--tol=[stops when the duality gap is below this]:X: '
                '--max-iterations=[maximum number of iterations; 0\: depends on the solver]:N: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
            )
            ;;
        lmnn)
            options+=(
                '--mu=[weight of the margins; 1 - mu weighs the distances to targets]:X: '
                '--lambda=[weight of staying near the Euclidean distance]:X: '
                '--k=[with labels\: target neighbours of a row, from its class]:N: '
                '--tol=[stops when ten iterations improve the objective by less than this fraction]:X: '
                '--max-iterations=[maximum number of iterations]:N: '
                '--rank=[dimensions of the learned space; 0\: as many as columns]:N: '
            )
            ;;
        nca)
            options+=(
                '--lambda=[L2 penalty on the transform]:X: '
                '--tol=[stops when ten iterations improve the objective by less than this fraction]:X: '
                '--max-iterations=[maximum number of iterations; few keep it near the start]:N: '
                '--rank=[dimensions of the learned space; 0\: as many as columns]:N: '
                '--start=[lda\: the directions of lda, as many as it has; auto\: lda where these fill the learned space or rows are few, else identity, lengthened where the rows are close together]:auto-lda-identity:(auto lda identity)'
            )
            ;;
        lrml)
            options+=(
                '--k=[neighbours of a row]:N: '
                '--gamma-s=[weight of similar pairs against neighbours]:X: '
                '--gamma-d=[weight of dissimilar pairs; 0\: a share of the largest safe one]:X: '
                '--share=[share of the largest safe gamma_d that is used where gamma_d is 0]:X: '
                '--ridge=[ridge added to the diagonal]:X: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
            )
            ;;
        perceptron)
            options+=(
                '--eta=[step size; 0 = auto (0.1, and 0.3 in relative units)]:X: '
                '--ybar=[push the best wrong label down once per violation, or once per row, as the paper prints]:count-one:(count one)'
                '--units=[steps relative to the squared length of the rows, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--constant=[a constant column beside those of the rows; auto\: for dense rows]:auto-none-one:(auto none one)'
                '--average=[the matrix as it is at the end, or the mean of all that were before; auto\: all for dense rows]:auto-none-all:(auto none all)'
            )
            ;;
        group-perceptron)
            options+=(
                '--eta=[step size]:X: '
                '--exponent=[exponent of the norms of columns, 2 or more (2\: the plain perceptron); 0 = the logarithm of the dimension]:X: '
                '--ybar=[push the best wrong label down once per violation, or once per row, as the paper prints]:count-one:(count one)'
                '--units=[steps relative to the squared length of the rows, or as published; auto\: relative for dense rows]:auto-relative-absolute:(auto relative absolute)'
                '--constant=[a constant column beside those of the rows; auto\: for dense rows]:auto-none-one:(auto none one)'
                '--average=[the matrix as it is at the end, or the mean of all that were before; auto\: all for dense rows]:auto-none-all:(auto none all)'
            )
            ;;
        logistic)
            options+=(
                '--lambda=[strength of the L2 penalty, relative to the variance of the rows]:X: '
                '--sharpness=[rows are compared by this power of their probabilities]:X: '
                '--tol=[stops when the gradient is this fraction of that at the start]:X: '
                '--max-iterations=[maximum number of iterations]:N: '
            )
            ;;
        kernel-ridge)
            options+=(
                '--kernel=[falls with the distance of rows, or with its square]:laplacian-rbf:(laplacian rbf)'
                '--narrow=[how narrow the kernel is, relative to the median distance]:X: '
                '--lambda=[strength of the penalty]:X: '
                '--support=[rows that the model keeps; 0\: all, at most 2000]:N: '
                '--sharpness=[rows are compared by this power of their probabilities]:X: '
            )
            ;;
        blend)
            options+=(
                '--with=[classes\: labels by Gaussian classes; else a distance\: of whitened rows, of lda, or of lda and the rows]:classes-whitened-lda-rows:(classes whitened lda rows)'
                '--share=[of logistic regression in the blend]:X: '
                '--lambda=[strength of its penalty, as that of logistic]:X: '
                '--shrinkage=[of the covariance within classes towards a multiple of the identity; -1\: by the rule of Ledoit and Wolf]:X: '
                '--sharpness=[rows are compared by this power of their probabilities]:X: '
            )
            ;;
        cca)
            options+=(
                '--rank=[maximum number of directions to keep; auto\: 10 from a list of pairs, all that correlate from labels]:N: '
                '--reg=[ridge on both covariances, as a multiple of their mean variance; -1\: by the rule of Ledoit and Wolf]:X: '
                '--power=[directions are weighted by this power of their correlation]:X: '
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--blend=[weight of the cosine of the rows themselves beside the learned score, where both sides have the same columns; -1\: for rows of one kind what does best on held-out examples]:X: '
            )
            ;;
        arc-t)
            options+=(
                '--C=[weight of the pairs against the norm of the matrix]:X: '
                '--lower=[least similarity wanted of a matching pair]:X: '
                '--upper=[largest similarity wanted of a pair that does not match]:X: '
                '--rank=[directions kept of the result; 0\: all]:N: '
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--blend=[weight of the cosine of the rows themselves beside the learned score, where both sides have the same columns; -1\: for rows of one kind what does best on held-out examples]:X: '
                '--tol=[stop when the gradient falls below this share of the first one]:X: '
                '--max-iterations=[maximum number of iterations]:N: '
                '--kernel=[learn in the space of a kernel; precomputed\: the rows are a kernel matrix]:none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(none linear rbf laplacian poly chi2 intersection precomputed)'
                '--gamma=[scale of rbf, laplacian, chi2 and poly; 0\: from the median distance or the mean square length]:X: '
                '--coef=[constant of poly]:X: '
                '--degree=[degree of poly]:N: '
                '--support=[support rows of a kernel; 0\: all, at most 4000]:N: '
                '--kernel-right=[kernel of the right side, if another]:same-none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(same none linear rbf laplacian poly chi2 intersection precomputed)'
                '--origin=[in the space of a kernel, rows are centred or as they are]:mean-zero:(mean zero)'
                '--length=[in the space of a kernel, rows are scaled to a mean square length of 1, or not]:one-given:(one given)'
            )
            ;;
        symm)
            options+=(
                '--gamma=[weight of the target distances against staying near the identity]:X: '
                '--tol=[stop when the Newton decrement falls below this]:X: '
                '--max-iterations=[maximum number of iterations]:N: '
            )
            ;;
        svm-t)
            options+=(
                '--C=[weight of the losses against the norm of the weights]:X: '
                '--bias=[number that stands after every row, for an offset of each label; 0\: no offset]:X: '
                '--loss=[of a margin z\: max(0, 1 - z), or its square]:hinge-hinge2:(hinge hinge2)'
                '--tol=[stop when no optimality condition is violated by more]:X: '
                '--max-sweeps=[maximum number of sweeps]:N: '
                '--kernel=[learn in the space of a kernel; precomputed\: the rows are a kernel matrix]:none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(none linear rbf laplacian poly chi2 intersection precomputed)'
                '--gamma=[scale of rbf, laplacian, chi2 and poly; 0\: from the median distance or the mean square length]:X: '
                '--coef=[constant of poly]:X: '
                '--degree=[degree of poly]:N: '
                '--support=[support rows of a kernel; 0\: all, at most 4000]:N: '
                '--origin=[in the space of a kernel, rows are centred or as they are]:mean-zero:(mean zero)'
                '--length=[in the space of a kernel, rows are scaled to a mean square length of 1, or not]:one-given:(one given)'
            )
            ;;
        hfa)
            options+=(
                '--C=[weight of the losses against the norm of the weights]:X: '
                '--lambda=[largest trace of the transform that labels share]:X: '
                '--loss=[of a margin z\: max(0, 1 - z), or its square]:hinge-hinge2:(hinge hinge2)'
                '--tol=[stop when the duality gap falls below this share of the objective]:X: '
                '--max-iterations=[maximum number of iterations]:N: '
                '--max-sweeps=[maximum number of sweeps of a machine in each iteration]:N: '
                '--kernel=[learn in the space of a kernel; precomputed\: the rows are a kernel matrix]:none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(none linear rbf laplacian poly chi2 intersection precomputed)'
                '--gamma=[scale of rbf, laplacian, chi2 and poly; 0\: from the median distance or the mean square length]:X: '
                '--coef=[constant of poly]:X: '
                '--degree=[degree of poly]:N: '
                '--support=[support rows of a kernel; 0\: all, at most 4000]:N: '
                '--kernel-right=[kernel of the right side, if another]:same-none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(same none linear rbf laplacian poly chi2 intersection precomputed)'
                '--origin=[in the space of a kernel, rows are centred or as they are]:mean-zero:(mean zero)'
                '--length=[in the space of a kernel, rows are scaled to a mean square length of 1, or not]:one-given:(one given)'
            )
            ;;
        rsl)
            options+=(
                '--rank=[rank of the similarity; 0\: the number of classes, or 10]:N: '
                '--lambda=[weight of the squared norm against the loss]:X: '
                '--loss=[log(1 + e^-yf), max(0, 1 - yf)^2 or (f - y)^2]:log-hinge2-ridge:(log hinge2 ridge)'
                '--loss-scale=[the loss is the mean over the pairs, or their sum]:mean-sum:(mean sum)'
                '--reg=[half the squared norm, or the norm as published]:sq-fro:(sq fro)'
                '--hessian=[exact, or by differences of gradients as published]:exact-fd:(exact fd)'
                '--origin=[classes\: rows are centred at the mean of the class means (sparse rows stay sparse), pairs as mean; mean\: at the mean; zero\: as they are]:classes-mean-zero:(classes mean zero)'
                '--length=[one\: rows are scaled to a mean square length of 1; given\: not scaled]:one-given:(one given)'
                '--start=[the first start; further ones are random]:spectral-random:(spectral random)'
                '--starts=[number of starts; the best result is kept]:N: '
                '--tol=[stop when the gradient falls below this share of the first one]:X: '
                '--max-iterations=[maximum number of iterations of each start]:N: '
                '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
                '--prototypes=[1\: after learning from labels, compare rows by the shares of the class means in them (up to 256 classes)]:N: '
                '--blend=[weight of the cosine of the rows themselves beside the learned score, where both sides have the same columns; -1\: for rows of one kind what does best on held-out examples]:X: '
                '--kernel=[learn in the space of a kernel; precomputed\: the rows are a kernel matrix; auto\: rbf for up to 4000 dense rows with labels, on at most 1000 support rows, else none]:auto-none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(auto none linear rbf laplacian poly chi2 intersection precomputed)'
                '--gamma=[scale of rbf, laplacian, chi2 and poly; 0\: from the median distance or the mean square length]:X: '
                '--coef=[constant of poly]:X: '
                '--degree=[degree of poly]:N: '
                '--support=[support rows of a kernel; 0\: all, at most 4000]:N: '
                '--kernel-right=[kernel of the right side, if another]:same-none-linear-rbf-laplacian-poly-chi2-intersection-precomputed:(same none linear rbf laplacian poly chi2 intersection precomputed)'
                '--check-derivatives=[1\: first check the derivatives against finite differences]:N: '
            )
            ;;
        fused)
            options+=(
                '--affinity=[how a representation becomes an affinity from 0 to 1]:minmax-clip-abs:(minmax clip abs)'
                '--lambda=[weight of the reconstruction error; 0\: from the data]:X: '
                '--kappa=[lambda auto is this times the mean over faces of the norm of S^-1 v]:X: '
                '--rho=[initial penalty of the solver]:X: '
                '--delta-rho=[growth of rho a step; 0 converges to the optimum, slowly]:X: '
                '--rho-max=[upper limit of rho]:X: '
                '--eps=[residuals at which the solver stops]:X: '
                '--gap=[stop also when the value is certified to lie within this share of the optimum; 0\: never]:X: '
                '--iterations=[maximum number of iterations]:N: '
                '--k=[nearest faces of a name]:N: '
                '--rounds=[rounds of estimation]:N: '
            )
            ;;
        lrr)
            options+=(
                '--affinity=[how a representation becomes an affinity from 0 to 1]:minmax-clip-abs:(minmax clip abs)'
                '--lambda=[weight of the reconstruction error; 0\: from the data]:X: '
                '--kappa=[lambda auto is this times the mean over faces of the norm of S^-1 v]:X: '
                '--rho=[initial penalty of the solver]:X: '
                '--delta-rho=[growth of rho a step; 0 converges to the optimum, slowly]:X: '
                '--rho-max=[upper limit of rho]:X: '
                '--eps=[residuals at which the solver stops]:X: '
                '--gap=[stop also when the value is certified to lie within this share of the optimum; 0\: never]:X: '
                '--iterations=[maximum number of iterations]:N: '
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
                '--surrogate=[score of a name\: the mean affinity to its faces, or the bound that never lets the objective fall]:mean-minorised:(mean minorised)'
                '--self-votes=[1\: a face counts among the faces of its name]:N: '
                '--count-by=[how a number of names is reached\: theta anew in each round, exactly, or one theta for all rounds, by bisection]:gains-theta:(gains theta)'
            )
            ;;
        rlrr)
            options+=(
                '--affinity=[how a representation becomes an affinity from 0 to 1]:minmax-clip-abs:(minmax clip abs)'
                '--lambda=[weight of the reconstruction error; 0\: from the data]:X: '
                '--kappa=[lambda auto is this times the mean over faces of the norm of S^-1 v]:X: '
                '--rho=[initial penalty of the solver]:X: '
                '--delta-rho=[growth of rho a step; 0 converges to the optimum, slowly]:X: '
                '--rho-max=[upper limit of rho]:X: '
                '--eps=[residuals at which the solver stops]:X: '
                '--gap=[stop also when the value is certified to lie within this share of the optimum; 0\: never]:X: '
                '--iterations=[maximum number of iterations]:N: '
                '--gamma=[penalty of faces that share no name]:X: '
                '--penalise=[faces that share no name, the face itself, or both]:both-irrelevant-self:(both irrelevant self)'
                '--form=[dense matrices of all faces by all faces, or factors only]:auto-dense-structured:(auto dense structured)'
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
                '--surrogate=[score of a name\: the mean affinity to its faces, or the bound that never lets the objective fall]:mean-minorised:(mean minorised)'
                '--self-votes=[1\: a face counts among the faces of its name]:N: '
                '--count-by=[how a number of names is reached\: theta anew in each round, exactly, or one theta for all rounds, by bisection]:gains-theta:(gains theta)'
            )
            ;;
        lrrml)
            options+=(
                '--affinity=[how a representation becomes an affinity from 0 to 1]:minmax-clip-abs:(minmax clip abs)'
                '--lambda=[weight of the reconstruction error; 0\: from the data]:X: '
                '--kappa=[lambda auto is this times the mean over faces of the norm of S^-1 v]:X: '
                '--rho=[initial penalty of the solver]:X: '
                '--delta-rho=[growth of rho a step; 0 converges to the optimum, slowly]:X: '
                '--rho-max=[upper limit of rho]:X: '
                '--eps=[residuals at which the solver stops]:X: '
                '--gap=[stop also when the value is certified to lie within this share of the optimum; 0\: never]:X: '
                '--iterations=[maximum number of iterations]:N: '
                '--sigma=[pull towards the plain distance]:X: '
                '--outer=[rounds of asml, each with the labels that fit best]:N: '
                '--pca=[principal components of the faces that asml keeps; 0\: all]:N: '
                '--alpha=[share of asml'\''s kernel]:X: '
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
                '--surrogate=[score of a name\: the mean affinity to its faces, or the bound that never lets the objective fall]:mean-minorised:(mean minorised)'
                '--self-votes=[1\: a face counts among the faces of its name]:N: '
                '--count-by=[how a number of names is reached\: theta anew in each round, exactly, or one theta for all rounds, by bisection]:gains-theta:(gains theta)'
            )
            ;;
        rlrrml)
            options+=(
                '--affinity=[how a representation becomes an affinity from 0 to 1]:minmax-clip-abs:(minmax clip abs)'
                '--lambda=[weight of the reconstruction error; 0\: from the data]:X: '
                '--kappa=[lambda auto is this times the mean over faces of the norm of S^-1 v]:X: '
                '--rho=[initial penalty of the solver]:X: '
                '--delta-rho=[growth of rho a step; 0 converges to the optimum, slowly]:X: '
                '--rho-max=[upper limit of rho]:X: '
                '--eps=[residuals at which the solver stops]:X: '
                '--gap=[stop also when the value is certified to lie within this share of the optimum; 0\: never]:X: '
                '--iterations=[maximum number of iterations]:N: '
                '--gamma=[penalty of faces that share no name]:X: '
                '--penalise=[faces that share no name, the face itself, or both]:both-irrelevant-self:(both irrelevant self)'
                '--form=[dense matrices of all faces by all faces, or factors only]:auto-dense-structured:(auto dense structured)'
                '--sigma=[pull towards the plain distance]:X: '
                '--outer=[rounds of asml, each with the labels that fit best]:N: '
                '--pca=[principal components of the faces that asml keeps; 0\: all]:N: '
                '--alpha=[share of asml'\''s kernel]:X: '
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
                '--surrogate=[score of a name\: the mean affinity to its faces, or the bound that never lets the objective fall]:mean-minorised:(mean minorised)'
                '--self-votes=[1\: a face counts among the faces of its name]:N: '
                '--count-by=[how a number of names is reached\: theta anew in each round, exactly, or one theta for all rounds, by bisection]:gains-theta:(gains theta)'
            )
            ;;
        asml)
            options+=(
                '--sigma=[pull towards the plain distance]:X: '
                '--outer=[rounds, each with the labels that fit best]:N: '
                '--epochs=[passes over the photos in a round]:N: '
                '--batch=[photos a step; 0\: all]:N: '
                '--eps=[change of the metric in a round that ends it]:X: '
                '--rank=[dimensions kept of the learned space, by principal components; 0\: all]:N: '
                '--pca=[principal components of the faces to keep; 0\: all]:N: '
            )
            ;;
        mms)
            options+=(
                '--sigma=[pull of the weights towards zero]:X: '
                '--outer=[rounds, each with the labels that fit best]:N: '
                '--epochs=[passes over the photos in a round]:N: '
                '--batch=[photos a step; 0\: all]:N: '
                '--eps=[change of the weights in a round that ends it]:X: '
            )
            ;;
        knn)
            options+=(
                '--k=[nearest faces that vote]:N: '
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
            )
            ;;
        mean)
            options+=(
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
            )
            ;;
        kmeans)
            options+=(
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
            )
            ;;
        kernel)
            options+=(
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
                '--surrogate=[score of a name\: the mean affinity to its faces, or the bound that never lets the objective fall]:mean-minorised:(mean minorised)'
                '--self-votes=[1\: a face counts among the faces of its name]:N: '
                '--count-by=[how a number of names is reached\: theta anew in each round, exactly, or one theta for all rounds, by bisection]:gains-theta:(gains theta)'
            )
            ;;
        mildml)
            options+=(
                '--rank=[dimensions of the learned space]:N: '
                '--tol=[stops when ten iterations improve the objective by less than this fraction]:X: '
                '--iterations=[maximum number of iterations]:N: '
                '--eps=[a hundredth of the stops when ten iterations improve the objective by less than this fraction]:X: '
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
                '--surrogate=[score of a name\: the mean affinity to its faces, or the bound that never lets the objective fall]:mean-minorised:(mean minorised)'
                '--self-votes=[1\: a face counts among the faces of its name]:N: '
                '--count-by=[how a number of names is reached\: theta anew in each round, exactly, or one theta for all rounds, by bisection]:gains-theta:(gains theta)'
            )
            ;;
        cgmm)
            options+=(
                '--start=[the first round\: each face has all names of its caption, whole or in equal parts]:ones-uniform:(ones uniform)'
                '--rounds=[maximum number of rounds]:N: '
            )
            ;;
        lr-svm)
            options+=(
                '--sparse=[weight of the deviation from low rank]:X: '
                '--C=[weight of the margins against short weights]:X: '
                '--rho=[initial penalty of the solver]:X: '
                '--delta-rho=[growth of rho a step]:X: '
                '--eps=[relative residual at which it ends]:X: '
                '--iterations=[maximum number of iterations]:N: '
            )
            ;;
        esac
    done
}

_akin() {
    local -a commands options
    if (( CURRENT == 2 )); then
        commands=(
            'train:learn a similarity with one learner'
            'compare:rank all that fit, the plain measures included'
            'tune:one learner, its hyper-parameters chosen by validation'
            'learners:what can be learned, from what, with which parameters'
            'score:similarity of given pairs; --decide: same or not'
            'predict:labels of new rows'
            'embed:vectors in which plain dot product (or distance) is the similarity'
            'index:a search index'
            'search:nearest items'
            'explain:why two items are alike'
            'eval:how good it is'
            'images:make a folder of pictures searchable'
            'documents:make documents searchable'
            'vectors:make rows with names searchable'
            'faces:the faces of captioned photos, for akin name'
            'codebook:words for local descriptors of your own'
            'tag:labels for a new item'
            'feedback:keep what people say about answers'
            'learn:learn from all feedback on a collection'
            'remove:remove items from a collection'
            'duplicates:items that are the same, or nearly'
            'serve:a web page and an HTTP interface over collections'
            'text:documents to a weighted bag of words'
            'persons:who is named in captions, and who of them is in the picture'
            'name:a name for every face, from captions'
            'info:what a file is: model, recipe or data'
            'convert:convert rows to another format, by extension'
            'split:divide the rows of a file at random'
            'check:exit 0 if a file is sound, 2 with the reason if not'
            'export:items for PostgreSQL, OpenSearch and others; faces for photo programs'
            'verify-export:whether an export ranks as the index does'
            'reproduce:the papers'\'' tables, theirs beside ours'
            'synth:data of known structure, for trying out and measuring'
            'help:this overview, a command, or a learner'
            'version:the version of this program, as akin --version'
        )
        _describe -t commands 'akin command' commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
    train)
        options=(
            '1: :(auto solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf asml mms mildml lr-svm)'
            '--data=[the rows, or '\''part-*.svm'\''; - is svm on standard input]:FILE:_files'
            '--out=[the model to write; - is standard output]:MODEL:_files'
            '--as-published[take the settings of the learner'\''s paper where flags say nothing]'
            '--for=[the use that decides what is measured]:search-classify-verify-rank:(search classify verify rank)'
            '--effort=[1 is the quickest, 5 tries the most]:N: '
            '--right=[rows of another kind to compare with; j of --pairs]:FILE:_files'
            '--right-labels=[the labels of --right, one per row (.npy, .csv or lines); names that are the same on both sides mean the same]:FILE:_files'
            '--right-recipe=[as --recipe, for the rows of --right]:FILE:_files'
            '--pairs=[lines `i j 1` (a match) or `i j -1`; all\: by label]:FILE-all:{_values FILE-all all; _files}'
            '--triplets=[lines `q p n`\: row q is more similar to p than to n]:FILE:_files'
            '--captions=[candidate names of the faces in each photo\: csv with a header photo,faces,names, or JSON lines]:FILE:_files'
            '--labelled=[only the labels of these rows are known, one row per line]:FILE:_files'
            '--sample=[triplets (or pairs) to draw from the labels]:N: '
            '--passes=[passes over the examples; auto\: 1 for given examples, --sample or --resume, else as many as lower the loss, at most 30]:N: '
            '--sampler=[how negatives are drawn\: uniformly, or until one is ranked too high, weighted by how soon that is (warp)]:uniform-warp:(uniform warp)'
            '--pair-weights=[matching and other pairs have the same total weight (balanced), or every pair has the same weight (printed)]:balanced-printed:(balanced printed)'
            '--resume=[continue this model with its recipe, options and seed]:MODEL:_files'
            '--guard=[learn only as much of the new examples as does not make a held-out part of them worse (auto), or earlier ones of the same kind (FILE); or all of them (none)]:auto-none-FILE:{_values auto-none-FILE auto none; _files}'
            '--save-every=[write the model to --out after every N examples, or N seconds, of an online learner]:N-Ns: '
            '--checkpoint=[write the state of the run to this file while it learns, and continue from it where it exists; it is removed at the end]:FILE:_files'
            '--every=[iterations between checkpoints, or examples of an online learner; auto\: 10, or 100,000]:N: '
            '--validate=[share of the supervision to hold out, or a file of the same kind; the model that scores best there is kept]:FRACTION-FILE:_files'
            '--measure=[what to optimise; without it, what fits the supervision]:map-error-accuracy-auc:(map error accuracy auc)'
            '--patience=[checks without improvement before learning stops]:N: '
            '--check-every=[examples between checks; auto\: 20 checks in all, or in each pass where --passes is auto]:N: '
            '--verdict=[compare with the measure that learning began from, on held-out examples]:auto-none:(auto none)'
            '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
            '--weights=[what a count c becomes\: 1 (binary), c / sum of the row (tf), sqrt(c), ln(1 + c) (log); tf, 1 or sqrt(c) times ln(rows / rows with the word) (tfidf, binary-idf, sqrt-idf); auto\: sqrt-idf for counts, else none]:auto-none-binary-tf-sqrt-log-tfidf-binary-idf-sqrt-idf:(auto none binary tf sqrt log tfidf binary-idf sqrt-idf)'
            '--center[subtract the mean of each column]'
            '--scale=[scale the columns\: to 0 to 1 (minmax), to variance 1 (zscore), or as principal directions (su)]:none-minmax-zscore-su:(none minmax zscore su)'
            '--norm=[scale rows to length 1\: each row (l2), or all by one factor so that their mean length is 1 (global)]:none-l2-global:(none l2 global)'
            '--as-is[use rows as they are, without a recipe]'
            '--recipe=[a recipe with its statistics, or a model to take it from]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        _akin_parameters
        ;;
    compare)
        options=(
            '1: :(solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm)'
            '--data=[the rows to compare on; - is svm on standard input]:FILE:_files'
            '--test=[score on this file of the same kind as the supervision, rather than on held-out parts of it]:FILE:_files'
            '--tune=[settings to try for each learner beside its defaults]:N: '
            '--for=[the use that decides what is measured]:search-classify-verify-rank:(search classify verify rank)'
            '--effort=[1 is the quickest, 5 tries the most]:N: '
            '--report=[write figures.json and compare.html, a page with plots]:DIR:_files'
            '--right=[rows of another kind to compare with; j of --pairs]:FILE:_files'
            '--right-labels=[the labels of --right, one per row (.npy, .csv or lines); names that are the same on both sides mean the same]:FILE:_files'
            '--right-recipe=[as --recipe, for the rows of --right]:FILE:_files'
            '--pairs=[lines `i j 1` (a match) or `i j -1`; all\: by label]:FILE-all:{_values FILE-all all; _files}'
            '--triplets=[lines `q p n`\: row q is more similar to p than to n]:FILE:_files'
            '--captions=[candidate names of the faces in each photo\: csv with a header photo,faces,names, or JSON lines]:FILE:_files'
            '--labelled=[only the labels of these rows are known, one row per line]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    tune)
        options=(
            '1: :(solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf asml mms mildml lr-svm)'
            '--data=[the rows, or '\''part-*.svm'\''; - is svm on standard input]:FILE:_files'
            '--out=[the model to write; - is standard output]:MODEL:_files'
            '--as-published[take the settings of the learner'\''s paper where flags say nothing]'
            '--trials=[settings to try; the first has the learner'\''s defaults]:N: '
            '--measure=[what to optimise; without it, what fits --for]:map-error-accuracy-auc:(map error accuracy auc)'
            '--validate=[share of the supervision to hold out, or a file of the same kind]:FRACTION-FILE:_files'
            '--for=[the use that decides what is measured]:search-classify-verify-rank:(search classify verify rank)'
            '--verdict=[compare with the measure that learning began from, on held-out examples]:auto-none:(auto none)'
            '--score=[how the model compares rows; auto\: what does best on held-out examples]:auto-dot-cosine-distance:(auto dot cosine distance)'
            '--right=[rows of another kind to compare with; j of --pairs]:FILE:_files'
            '--right-labels=[the labels of --right, one per row (.npy, .csv or lines); names that are the same on both sides mean the same]:FILE:_files'
            '--right-recipe=[as --recipe, for the rows of --right]:FILE:_files'
            '--pairs=[lines `i j 1` (a match) or `i j -1`; all\: by label]:FILE-all:{_values FILE-all all; _files}'
            '--triplets=[lines `q p n`\: row q is more similar to p than to n]:FILE:_files'
            '--captions=[candidate names of the faces in each photo\: csv with a header photo,faces,names, or JSON lines]:FILE:_files'
            '--labelled=[only the labels of these rows are known, one row per line]:FILE:_files'
            '--sample=[triplets (or pairs) to draw from the labels]:N: '
            '--passes=[passes over the examples; auto\: 1 for given examples, --sample or --resume, else as many as lower the loss, at most 30]:N: '
            '--sampler=[how negatives are drawn\: uniformly, or until one is ranked too high, weighted by how soon that is (warp)]:uniform-warp:(uniform warp)'
            '--pair-weights=[matching and other pairs have the same total weight (balanced), or every pair has the same weight (printed)]:balanced-printed:(balanced printed)'
            '--weights=[what a count c becomes\: 1 (binary), c / sum of the row (tf), sqrt(c), ln(1 + c) (log); tf, 1 or sqrt(c) times ln(rows / rows with the word) (tfidf, binary-idf, sqrt-idf); auto\: sqrt-idf for counts, else none]:auto-none-binary-tf-sqrt-log-tfidf-binary-idf-sqrt-idf:(auto none binary tf sqrt log tfidf binary-idf sqrt-idf)'
            '--center[subtract the mean of each column]'
            '--scale=[scale the columns\: to 0 to 1 (minmax), to variance 1 (zscore), or as principal directions (su)]:none-minmax-zscore-su:(none minmax zscore su)'
            '--norm=[scale rows to length 1\: each row (l2), or all by one factor so that their mean length is 1 (global)]:none-l2-global:(none l2 global)'
            '--as-is[use rows as they are, without a recipe]'
            '--recipe=[a recipe with its statistics, or a model to take it from]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        _akin_parameters
        ;;
    learners)
        options=(
            '1: :(solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm)'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    score)
        options=(
            '--data=[rows as they were before training, of one file or of '\''part-*.svm'\''; the model'\''s recipe is applied to them]:FILE:_files'
            '--as-is[rows have been through the recipe already]'
            '--pairs=[lines `i j`, rows from 0; the rest of a line is ignored]:FILE:_files'
            '--right=[j is a row of this file instead of --data]:FILE:_files'
            '--decide[add `same` or `different` to each line, by the threshold of the model (akin eval --save-threshold) or of --threshold]'
            '--threshold=[with --decide\: a score from here on means `same`]:T: '
            '--score=[how rows are compared in the learned space; without it, as the model was trained for]:dot-cosine-distance:(dot cosine distance)'
            '--train=[tfidf, mahalanobis\: the rows to take statistics from, else those of --data]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--exact[print scores with 17 significant digits, not 6; JSON has 17]'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    predict)
        options=(
            '--data=[rows as they were before training, of one file or of '\''part-*.svm'\''; the model'\''s recipe is applied to them]:FILE:_files'
            '--as-is[rows have been through the recipe already]'
            '--train=[labelled rows to find neighbours among; a model with labels of its own needs none]:FILE:_files'
            '--train-labels=[the labels of --train, from a file of their own]:FILE:_files'
            '--side=[of a model between two kinds of rows\: the side of --data; --train, if given, has the other]:left-right:(left right)'
            '--k=[neighbours that vote]:N: '
            '--top=[labels to list for each row, the best first]:N: '
            '--score=[how rows are compared in the learned space; without it, as the model was trained for]:dot-cosine-distance:(dot cosine distance)'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--exact[print scores with 17 significant digits, not 6; JSON has 17]'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    embed)
        options=(
            '--data=[rows as they were before training, of one file or of '\''part-*.svm'\''; the model'\''s recipe is applied to them]:FILE:_files'
            '--as-is[rows have been through the recipe already]'
            '--out=[the vectors to write, by extension\: .npy .npz .csv .tsv .svm .fvecs .safetensors; - is svm on standard output]:FILE:_files'
            '--side=[the side of the similarity that the rows are on]:left-right:(left right)'
            '--train=[tfidf, mahalanobis\: the rows to take statistics from, else those of --data]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    index)
        options=(
            '--data=[rows to find, as they were before training; '\''part-*.svm'\''\: all files that match]:FILE:_files'
            '--names=[the name of each row of --data or --add, one per line; items of a collection have theirs]:FILE:_files'
            '--side=[the side of the model that these rows are on; queries are on the other]:left-right:(left right)'
            '--shards=[write a folder of N indexes, each of a range of the rows, and hold one of them in memory at a time; akin search searches the folder as one index]:N: '
            '--out=[the index to write; with --shards a folder]:INDEX:_files'
            '--approximate=[hnsw\: a graph of neighbours, faster but approximate]:none-hnsw:(none hnsw)'
            '--score=[how rows are compared in the learned space; without it, as the model was trained for]:dot-cosine-distance:(dot cosine distance)'
            '--prune[drop columns of weight 0 permanently]'
            '--add=[append rows to an index]:FILE:_files'
            '--remove=[remove rows from an index, as in 12,408,77; the others keep their numbers]:ROWS: '
            '--links=[hnsw\: neighbours of a row in the graph]:N: '
            '--effort=[hnsw\: candidates while the graph is built]:N: '
            '--as-is[rows have been through the recipe already]'
            '--train=[tfidf, mahalanobis\: the rows to take statistics from, else those of --data]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    search)
        options=(
            '--queries=[rows to find the nearest of, as they were before training]:FILE:_files'
            '--image=[a collection\: a picture to find the nearest of; may be repeated, each is a query]:FILE:_files'
            '--text=[a collection of documents\: words to look for; may be repeated]:WORDS: '
            '--document=[a collection of documents\: a text to find the nearest of; may be repeated]:FILE:_files'
            '--model=[a collection\: search by this model, or by a measure without learning, instead of the collection'\''s own; auto\: version 0]:MODEL:_files'
            '--version=[a collection\: search by version V of its model (akin learn); 0 is the measure without learning]:V: '
            '--top=[rows to list for a query]:K: '
            '--like=[rows of the index, as in 12,408,77; of a collection also names of items and other files. A query is the mean of itself and these, or of these alone; none of them is listed. May be repeated]:ROWS: '
            '--unlike=[subtract half the mean of these rows from a query]:ROWS: '
            '--where=[a collection\: list only items of which it is true, as in '\''date >= 2020 AND label = cat'\'']:CONDITION: '
            '--html=[a collection\: also write the results as a page, with thumbnails or the beginnings of texts]:OUT-html: '
            '--feedback=[a collection\: how examples, and what akin feedback has of the query, count. mean\: as their mean; learn\: also by weights that separate them from other items; expand\: also with the first answers as examples]:auto-none-mean-learn-expand:(auto none mean learn expand)'
            '--user=[a collection\: who searches. Their model is used, if they have one (akin learn --user), and their feedback on the query has the last word]:USER: '
            '--verify[pictures\: of the best 100, list those first whose features move together from the query to them]'
            '--exact[miss no item of a large collection; print scores with 17 significant digits, not 6; JSON has 17]'
            '--ignore=[lines `query row`\: rows that a query does not list]:FILE:_files'
            '--score=[how rows are compared in the learned space; without it, as the index was made for]:dot-cosine-distance:(dot cosine distance)'
            '--effort=[hnsw\: candidates of a query; more find more]:N: '
            '--as-is[queries have been through the recipe already]'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    explain)
        options=(
            '--data=[rows as they were before training, of one file or of '\''part-*.svm'\''; the model'\''s recipe is applied to them]:FILE:_files'
            '--as-is[rows have been through the recipe already]'
            '--rows=[the two rows, numbered from 0; one row I with --label]:I-J: '
            '--label=[a model that ranks labels\: why row I gets this label]:NAME: '
            '--right=[J is a row of this file instead of --data]:FILE:_files'
            '--by=[list features, or pairs of a feature of I and one of J; auto\: pairs for words under a low-rank or full model]:auto-features-pairs:(auto features pairs)'
            '--top=[features to list, the largest contributions first]:K: '
            '--score=[how rows are compared in the learned space; without it, as the model was trained for]:dot-cosine-distance:(dot cosine distance)'
            '--model=[explain by this model, or a measure without learning, instead of the collection'\''s own]:MODEL:_files'
            '--out=[pictures\: draw the matching regions to this file, svg or png]:FILE:_files'
            '--train=[tfidf, mahalanobis\: the rows to take statistics from, else those of --data]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--exact[print scores with 17 significant digits, not 6; JSON has 17]'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    eval)
        options=(
            '--data=[rows as they were before training, of one file or of '\''part-*.svm'\''; the model'\''s recipe is applied to them]:FILE:_files'
            '--as-is[rows have been through the recipe already]'
            '--task=[what to measure]:retrieval-knn-triplets-verify-cross-rank-naming:(retrieval knn triplets verify cross rank naming)'
            '--train=[knn\: the training rows; cross\: labelled rows of the target, to compare with as well; tfidf, mahalanobis\: the rows to take statistics from, else those of --data]:FILE:_files'
            '--right=[retrieval\: rank the rows of this file for each of --data; verify\: j is a row of it]:FILE:_files'
            '--side=[retrieval, knn, verify\: the side of the model that --data stands on; --right and --train are of the other]:left-right:(left right)'
            '--source=[cross\: rows with labels, of the left side]:FILE:_files'
            '--target=[cross\: rows to recognise, of the right side, in place of --data]:FILE:_files'
            '--source-labels=[the labels of --source, one per row]:FILE:_files'
            '--train-labels=[the labels of --train, one per row]:FILE:_files'
            '--right-labels=[the labels of --right, one per row]:FILE:_files'
            '--query-labels=[the labels of --queries, one per row]:FILE:_files'
            '--score=[how rows are compared in the learned space; without it, as the model was trained for]:dot-cosine-distance:(dot cosine distance)'
            '--queries=[retrieval\: a data file of queries, instead of every row over the others]:FILE:_files'
            '--query-rows=[retrieval\: only these rows query, one per line]:FILE:_files'
            '--relevant=[retrieval\: lines `query row` instead of labels]:FILE:_files'
            '--ignore=[retrieval\: lines `query row`, neither right nor wrong]:FILE:_files'
            '--like=[retrieval\: lines `query row`, further examples of a query; it becomes the mean of itself and these]:FILE:_files'
            '--exclude=[retrieval\: rows that are not in the database, one per line]:FILE:_files'
            '--by-label[retrieval\: the figures of --json and --report also have the map of the queries of each label]'
            '--ap=[retrieval\: how average precision is summed]:standard-trapezoid:(standard trapezoid)'
            '--k=[knn\: neighbours that vote]:N: '
            '--folds=[verify\: cut the pairs into so many folds, in their order, and measure each at the threshold that is best on the others]:N: '
            '--triplets=[triplets\: lines `q p n` to test]:FILE:_files'
            '--pairs=[verify\: lines `i j 1` or `i j -1` to tell apart]:FILE:_files'
            '--save-threshold[verify\: keep the threshold and its rates in MODEL, for akin score --decide]'
            '--captions=[naming\: the captions of the faces; MODEL is a file of akin name, or of faces that --method names]:FILE:_files'
            '--truth=[naming\: lines face,name; an empty name\: not in the caption]:FILE:_files'
            '--method=[naming\: MODEL is a file of faces; name them by this method of akin name, then measure]:METHOD:(fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm)'
            '--real-name-ratio=[naming\: the share of faces that --method names; auto\: estimated]:R: '
            '--curve[naming\: at real-name ratios 0.05, 0.1, ... 1, or those of akin name --curve]'
            '--report=[write figures.json and plots (SVG) into this folder]:DIR:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--exact[print scores with 17 significant digits, not 6; JSON has 17]'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    images)
        options=(
            '--out=[the collection to write, a folder; an interrupted run is resumed]:COLLECTION:_files'
            '--add=[add pictures to a collection]:DIR:_files'
            '--model=[the model that searches the collection from now on\: a file from akin train --data COLLECTION, a measure without learning, or auto\: square roots of counts, times idf]:MODEL:_files'
            '--labels=[labels of the pictures\: a header with file (below DIR) and label (or class, target, y), several separated by ;. Without it, the sub-folder of DIR that a picture is in]:CSV:_files'
            '--label-column=[csv\: the column that holds labels]:NAME-N: '
            '--force[replace an existing collection at --out]'
            '--prune[remove pictures from a collection whose files are gone, also with --add]'
            '--restore[also add pictures that were removed from the collection earlier]'
            '--watch[keep looking for pictures that are new or changed, until interrupted]'
            '--strict[exit 2 when a picture is skipped]'
            '--side=[pixels of the longest side; larger pictures are shrunk first]:N: '
            '--first-octave=[first octave of the features; -1\: doubles small pictures, which then have more features]:N: '
            '--words=[size of the codebook; auto\: 10,000, or a tenth of the sample]:N: '
            '--sample=[descriptors that words are learned from, of pictures drawn at random; auto\: 30 for each word, at least 100,000]:N: '
            '--batch=[learn words from batches of this many descriptors, drawn for each iteration, until each has been seen about three times\: faster, slightly worse words; auto\: all in each of at most 10 iterations]:N: '
            '--codebook=[take the words of this file, or of another collection, instead of learning them]:FILE:_files'
            '--colours=[also write 225 colour moments of each picture, to COLLECTION/colours.safetensors]:none-luv-hsv:(none luv hsv)'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    documents)
        options=(
            '--out=[the collection to write, a folder; an interrupted run is resumed]:COLLECTION:_files'
            '--add=[add documents to a collection; those that changed are counted again]:INPUT: '
            '--model=[the model that searches the collection from now on\: a file from akin train --data COLLECTION, a measure without learning, or auto\: square roots of counts, times idf]:MODEL:_files'
            '--labels=[labels of files\: a header with file (below the folder) and label (or class, target, y), several separated by ;. Without it, the sub-folder that a file is in]:CSV:_files'
            '--text-column=[csv, jsonl\: the text \[text, body or content\]]:NAME-N: '
            '--label-column=[csv, jsonl\: labels \[label, class, target, y or labels\]; or none]:NAME-N: '
            '--name-column=[csv, jsonl\: the name \[id, name, title or key\]]:NAME-N: '
            '--header[csv\: the first line holds names although columns are given by number]'
            '--force[replace an existing collection at --out]'
            '--prune[remove documents from a collection that are gone, also with --add]'
            '--restore[also add documents that were removed from the collection earlier]'
            '--watch[keep looking for documents that are new or changed, until interrupted]'
            '--strict[exit 2 when a document is skipped]'
            '--stop-words=[words to ignore\: the built-in list, none, or those of a file]:english-none-FILE:{_values english-none-FILE english none; _files}'
            '--min-length=[characters of the shortest word that counts]:N: '
            '--max-length=[characters of the longest word that counts]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    vectors)
        options=(
            '--out=[the collection to write, a folder]:COLLECTION:_files'
            '--add=[add rows to a collection; those whose name is there are replaced]:ROWS: '
            '--model=[the model that searches the collection from now on\: a file from akin train --data COLLECTION, a measure without learning, or auto]:MODEL:_files'
            '--names=[the name of each row, one per line; without it the names in --fields, or else numbers]:FILE:_files'
            '--fields=[a record for each row, with a header\: id, name, title or key is its name, label or labels its labels, others are fields]:CSV:_files'
            '--force[replace an existing collection at --out]'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    faces)
        options=(
            '--out=[the collection to write, a folder; an interrupted run is resumed]:COLLECTION:_files'
            '--add=[add the faces of other photos, and captions, to a collection; photos that are there are not looked at again. A collection of vectors takes a file of them]:DIR-FILE:_files'
            '--captions=[csv with a header photo,caption or photo,names, names separated by '\'';'\'', or JSON lines; without it, a .txt beside a photo, or its XMP or IPTC caption. With --vectors\: photo,faces,names]:FILE:_files'
            '--boxes=[where the faces are, in place of detection\: a header photo,x,y,width,height and perhaps name, in pixels]:CSV:_files'
            '--vectors=[faces that are vectors already, a row each, in place of photos]:FILE:_files'
            '--from-xmp[take faces and names from regions in XMP, in the photo or beside it; detect only where there are none]'
            '--force[replace an existing collection at --out]'
            '--prune[remove photos from the collection whose files are gone]'
            '--strict[exit 2 when a photo is skipped]'
            '--aliases=[other names of persons in captions\: csv with a header alias,name]:FILE:_files'
            '--tagger=[a model of akin persons --learn to find names in captions, in place of the one that comes with akin]:FILE:_files'
            '--detector=[what finds faces\: hog those that look towards the camera; mmod also turned and partly hidden ones, and takes much longer]:hog-mmod:(hog mmod)'
            '--descriptor=[how a face is described\: resnet by 128 numbers of a network, patches by 1,937 grey values around 13 points]:resnet-patches:(resnet patches)'
            '--side=[pixels of the longest side; larger photos are shrunk first]:N: '
            '--upsample=[how often a photo is doubled before faces are looked for; each time finds faces of half the size (80 pixels without it) in four times the time; without it 1 for hog, 0 for mmod]:N: '
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    codebook)
        options=(
            '--out=[the codebook to write]:FILE:_files'
            '--words=[size of the codebook; auto\: 10,000, or a tenth of the sample]:N: '
            '--sample=[descriptors that words are learned from, of items drawn at random; auto\: 30 for each word, at least 100,000]:N: '
            '--codebook=[take the words of this file, or of a collection, instead of learning them]:FILE:_files'
            '--collection=[make a collection of the items, a folder that has the words too]:COLLECTION:_files'
            '--force[replace an existing collection]'
            '--bags=[write a row for each item\: how often it has each word; for akin vectors, akin train, akin search --queries]:FILE:_files'
            '--names=[write the names of the items, one per line, for akin vectors --names]:FILE:_files'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    tag)
        options=(
            '--image=[a picture, for a collection of pictures]:FILE:_files'
            '--text=[a text, for a collection of documents or a model with the words of akin text]:TEXT: '
            '--document=[a text in a file, for a collection of documents]:FILE:_files'
            '--model=[a collection\: the labels of this model, learned from its rows, instead of those of neighbours]:MODEL:_files'
            '--top=[labels to list, the best first]:N: '
            '--k=[a collection\: nearest items with a label that vote]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    feedback)
        options=(
            '--query=[the query\: an item by name or row, a file that is not in the collection, or the text of a document]:NAME-FILE-TEXT:_files'
            '--good=[good answers\: items by name or row, separated by commas. May be repeated]:NAMES: '
            '--bad=[bad answers, likewise]:NAMES: '
            '--user=[who says it]:USER: '
            '--key=[your own key of the event; one that is there already changes nothing, and its number is printed]:KEY: '
            '--file=[events as lines of JSON, - for standard input; each is stored and its number printed before the next is read]:EVENTS-jsonl: '
            '--list[print all events as lines of JSON]'
            '--undo=[the event with this number no longer counts]:N: '
            '--export=[write all events as lines of JSON]:FILE:_files'
            '--import=[add the events of such a file\: all of them, or none]:FILE:_files'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    learn)
        options=(
            '--versions[list the versions of the model, and which is in use]'
            '--rollback=[use version V from now on; 0 is the measure without learning]:V: '
            '--user=[learn from the events of this user alone, for their searches (akin search --user)\: weights that are added to the shared ones. With --rollback\: use V for this user, 0\: the shared model alone; with --versions\: list theirs]:USER: '
            '--after=[learn by itself whenever akin feedback has N new events; 0\: never. 100 at the start. Then also for each user with 20 events or more]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    remove)
        options=(
            '--where=[items of which it is true, as in '\''date < 2020 AND label = cat'\'']:CONDITION: '
            '--person=[of a collection of faces\: all faces of this person, the name in captions, also in capitals, without accents or in part, and what was said of the faces; nothing of it stays in the files]:NAME: '
            '--names=[names of akin name that say which faces are the person'\''s, beside labels and answers (without it, those that the collection has kept); needed where these do not say it]:FILE:_files'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    duplicates)
        options=(
            '--at-least=[the score from which on two items are nearly the same; auto\: 0.45 for pictures, 0.8 for texts, 0.95 for vectors, or more where they have near neighbours anyway]:S: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    serve)
        options=(
            '--port=[port to listen on; 0 takes a free one]:N: '
            '--listen=[address to listen on; one that other machines reach needs --token]:ADDRESS: '
            '--token=[a file with a secret of 16 characters or more, which every request must have]:FILE:_files'
            '--origin=[address of a reverse proxy, as in https\://photos.example.org]:URL: '
            '--read-only[nothing is changed\: no feedback, no learning]'
            '--log=[form of the log, a line for each request]:text-json:(text json)'
            '--log-file=[append the log to this file; SIGHUP opens it again. Without it, standard error]:FILE:_files'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    text)
        options=(
            '--out=[the rows to write, by extension; - is svm on standard output]:FILE:_files'
            '--weights=[how counts are weighted]:none-binary-tf-sqrt-log-tfidf-binary-idf-sqrt-idf:(none binary tf sqrt log tfidf binary-idf sqrt-idf)'
            '--norm=[scale rows to length 1\: each row (l2), or all by one factor so that their mean length is 1 (global)]:none-l2-global:(none l2 global)'
            '--save-recipe=[save vocabulary, selection, weights and norm for later documents, and for akin train --recipe]:FILE:_files'
            '--recipe=[use a saved recipe instead of choosing terms and weights]:FILE:_files'
            '--stop-words=[words to ignore\: the built-in list, none, or those of a file]:english-none-FILE:{_values english-none-FILE english none; _files}'
            '--min-length=[characters of the shortest word that counts]:N: '
            '--max-length=[characters of the longest word that counts]:N: '
            '--min-df=[least number of documents with a term; below 1\: a share]:X: '
            '--max-df=[largest number of documents with a term; below 1\: a share, 0\: any]:X: '
            '--features=[how many terms to keep]:N: '
            '--select=[which terms to keep\: the most informative of the class, or those in most documents]:infogain-df:(infogain df)'
            '--text-column=[csv, jsonl\: the column or key of the text, by name or number from 0; without it text, body or content]:NAME-N: '
            '--header[csv\: the first line holds names although columns are given by number]'
            '--vocabulary=[counts\: the term of each column, one per line]:FILE:_files'
            '--list=[write the document of each row, one per line]:FILE:_files'
            '--strict[an error for a document that is unreadable, binary, empty or not UTF-8, instead of a warning]'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    persons)
        options=(
            '--out=[csv, photo,name,mention,start,end,in_picture,position,probability, a line for each mention; without it standard output; with --learn the tagger (without it, that of the collection)]:FILE:_files'
            '--model=[a tagger of --learn instead of the one that comes with akin]:FILE:_files'
            '--aliases=[other names of persons\: csv with a header alias,name]:FILE:_files'
            '--learn=[learn a tagger from labelled captions\: JSON lines with the keys caption and names, and in each name mentions and in_picture; or from the captions of a collection of faces that a person corrected, beside those of the tagger that comes with akin]:FILE:_files'
            '--lists=[word lists, KIND.txt; without it those of the tagger that comes with akin]:DIR:_files'
            '--passes=[passes over the captions]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    name)
        options=(
            '--captions=[photos\: csv with a header photo,faces,names, faces and names separated by '\'';'\'', or JSON lines with these keys; not needed with --model\: any face can then have any name; nor for a collection, which has them]:FILE:_files'
            '--model=[a model of --save-model or akin train to name by; nothing is learned, and faces go through its recipe. The faces and captions that it was learned from are named by the affinities in it]:FILE:_files'
            '--method=[how faces are compared; akin learners METHOD lists its parameters, which are flags too]:METHOD:(fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm)'
            '--affinity-file=[affinities of your own, fused with those of the method\: data of as many rows and columns as there are faces (npy, svm, ...), or a .txt of lines i j value]:FILE-FILE-:_files'
            '--affinity-weight=[the share of each --affinity-file in the fused affinities so far]:X-X-: '
            '--save-model=[save a model that names other faces\: the scores of mms, lr-svm and asml, else the mean direction of each name'\''s faces; and, for the same faces again, the affinities of methods that have them]:FILE:_files'
            '--out=[the names to write\: csv, face,photo,name,confidence,probability; an empty name\: not in the caption]:FILE:_files'
            '--real-name-ratio=[the share of faces to name, or the nearest that ties allow; auto\: estimated from the faces and captions]:R: '
            '--at-least=[give only names that are right with this probability]:P: '
            '--min-count=[leave out names that fewer captions have, and photos then without a name]:N: '
            '--named-count=[how many faces to name, or the nearest that ties allow]:K: '
            '--theta=[the score that a name must reach; with --model the default is that of the model]:T: '
            '--confirmed=[names that a person confirmed, always kept\: lines face,name or face,name,is-not; no name\: not in the caption \[answers given in akin serve, and names that faces came with\]]:FILE:_files'
            '--prior=[how likely names are before faces are compared\: lines face,name,weight; a weight of 4 makes the name four times as likely for this face, 0 excludes it; no name\: not in the caption. In place of positions in the captions of a collection]:FILE:_files'
            '--quality=[how much each face counts when faces are compared\: one column of numbers above 0 to 1, a row for each face. In place of the size, sharpness and turn of faces in a collection]:FILE:_files'
            '--truth=[lines face,name, one for each face of a photo\: measure the names by them]:FILE:_files'
            '--changes=[names of an earlier run\: list the faces whose name changed]:OLD-csv: '
            '--review=[write the faces in the order in which to ask a person\: csv, face,photo,name,probability,gain, the largest gain first]:FILE:_files'
            '--answers=[write what people said of the faces of a collection\: csv, number,face,kind,name,other,user,undone; face is the id of an item]:FILE:_files'
            '--all[name all faces of a collection again. Without it, faces that were named before keep their names, unless people have answered since]'
            '--curve[names at real-name ratios 0.05, 0.1, ... 1, with a first column real_name_ratio; with --truth measured at each]'
            '--scale=[how the columns of the faces are scaled first; su\: principal directions, each by the square root of its singular value]:none-minmax-zscore-su:(none minmax zscore su)'
            '--norm=[scale rows to length 1\: each row (l2), or all by one factor so that their mean length is 1 (global)]:none-l2-global:(none l2 global)'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--exact[print scores with 17 significant digits, not 6; JSON has 17]'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        _akin_parameters
        ;;
    info)
        options=(
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    convert)
        options=(
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    split)
        options=(
            '--fraction=[share of the rows that goes to A]:X: '
            '--by-class[draw that share of every class]'
            '--out=[the two files to write, by extension]:A:_files:B:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    check)
        options=(
            '--pairs=[lines `i j 1` (a match) or `i j -1`; all\: by label]:FILE-all:{_values FILE-all all; _files}'
            '--triplets=[lines `q p n`\: row q is more similar to p than to n]:FILE:_files'
            '--captions=[candidate names of the faces in each photo\: csv with a header photo,faces,names, or JSON lines]:FILE:_files'
            '--labelled=[only the labels of these rows are known, one row per line]:FILE:_files'
            '--quadruplets=[lines `a b c d`\: a and b are more similar than c and d]:FILE:_files'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--without-person=[of a collection\: exit 2 when any of its files has this name, in any case, with or without accents, or in part in a caption]:NAME: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    export)
        options=(
            '--to=[the engine; of a collection of faces, csv, json and xmp are DIR/faces.csv, DIR/faces.json, or DIR/PHOTO.jpg.xmp for each photo]:pgvector-opensearch-elasticsearch-faiss-hnswlib-numpy-csv-json-xmp:(pgvector opensearch elasticsearch faiss hnswlib numpy csv json xmp)'
            '--out=[the folder to write, which may be an earlier export; for xmp that of the photos, or another]:DIR:_files'
            '--data=[the items, with a model as INDEX\: rows as they were before training]:FILE:_files'
            '--version=[the number of this model\: the engine calls it NAME_vV; without it 1, or that of a collection'\''s model]:V: '
            '--since=[an earlier export of the same model\: also write what changed (pgvector, opensearch, elasticsearch, csv)]:DIR:_files'
            '--shards=[pgvector\: parts of the items, one for each server]:N: '
            '--half[pgvector\: embeddings as halfvec, of 16-bit numbers]'
            '--name=[what the engine calls it\: small letters, digits and _]:NAME: '
            '--score=[how items are compared; without it, as the index was made for]:dot-cosine-distance:(dot cosine distance)'
            '--names=[faces\: their names, as akin name writes them; without it those that --boxes or --from-xmp gave]:FILE:_files'
            '--force[xmp\: replace faces, persons and captions in files of XMP that say something else]'
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    verify-export)
        options=(
            '--against=[the index, or the collection, that it was exported from]:INDEX:_files'
            '--queries=[raw rows to search by]:FILE:_files'
            '--top=[items to compare for a query]:K: '
            '--labels=[the labels of --data, one per row (.npy, .csv or lines)]:FILE:_files'
            '--label-column=[csv\: labels \[label, class, target or y\]; or none]:NAME-N: '
            '--variable=[mat, npz\: the matrix to read]:NAME: '
            '--label-variable=[mat, npz\: the labels to read]:NAME: '
            '--index-base=[svm\: number of the first column; auto is 0 if a 0 occurs, else 1, and later files follow the model]:auto-0-1:(auto 0 1)'
            '--dim=[number of columns, of --data alone]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    reproduce)
        options=(
            '1: :(solis loreta rsl s3ml naming)'
            '--data=[a folder of one of the known layouts; loreta and rsl generate data without it]:DIR:_files'
            '--test=[rsl\: learn from all of --data and test with this folder of the same layout]:DIR2:_files'
            '--repeats=[splits to average over; auto\: 3 (loreta\: 5, rsl\: 10 or 20, s3ml\: 50 of tables and 20 of pictures), or fewer with --quick]:N: '
            '--splits=[take the splits from lines `split landmark row positive|negative` (s3ml\: a table `set,repeat,row` of the rows that are known) instead of drawing them]:FILE:_files'
            '--codebook=[only the codebook of bow_NAME.svm; without it, all]:NAME: '
            '--quick[smaller runs, within two minutes]'
            '--beside=[JSON rows of rivals measured elsewhere, to show in the tables]:FILE:_files'
            '--report=[write figures.json and the plots (SVG) into this folder]:DIR:_files'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    synth)
        options=(
            '1: :(bags labels faces scenes)'
            '--out=[the rows to write, by extension; - is svm on standard output; scenes\: a folder]:FILE:_files'
            '--like=[bags\: take word frequencies from this file of counts]:FILE:_files'
            '--rows=[how many rows; bags 1000, labels 10000]:N: '
            '--dim=[how many columns\: words 10000, features of labels 1000, of faces 50]:N: '
            '--classes=[classes; 0\: no labels]:N: '
            '--words=[mean words in a bag, repeats counted]:N: '
            '--class-words=[words that belong to each class]:N: '
            '--signal=[share of a bag that is drawn from its class'\''s words]:X: '
            '--exponent=[frequency of the word of rank r\: (r + shift)^-exponent]:X: '
            '--shift=[see --exponent]:X: '
            '--burst=[chance that a word is drawn again, below 1]:X: '
            '--labels=[labels, all nodes of the tree]:N: '
            '--rank=[rank of the matrix that puts the labels of a row first]:N: '
            '--branching=[children of a label]:N: '
            '--leaves=[leaves of a row, 1 up to this; labels above them come with them]:N: '
            '--nonzeros=[entries kept of a row, the largest; 0\: all]:N: '
            '--noise=[size of the noise in the features beside a signal of 1]:X: '
            '--wrong=[share of leaves with the labels of another]:X: '
            '--photos=[photos]:N: '
            '--names=[names, each a subspace]:N: '
            '--face-rank=[dimensions of a name'\''s subspace]:N: '
            '--face-noise=[length of the noise beside a face of length 1]:X: '
            '--most-faces=[faces in a photo, 1 up to this]:N: '
            '--known=[chance that a face is of a name]:X: '
            '--extra=[chance of a wrong name in a caption, one more]:X: '
            '--missing=[chance that a name is missing in the caption]:X: '
            '--faces=[faces in all, exactly; auto\: as the photos come]:N: '
            '--real-name-ratio=[in the place of --known\: the share of faces whose name is in the caption, exactly]:R: '
            '--captions=[faces\: where the captions go, csv, or JSON lines when it ends in .jsonl]:FILE:_files'
            '--truth=[faces\: where the true names go, csv]:FILE:_files'
            '--landmarks=[landmarks of the town]:N: '
            '--views=[pictures of each landmark]:N: '
            '--others=[pictures without a landmark]:N: '
            '--width=[pixels of a row]:N: '
            '--height=[rows of a picture]:N: '
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    help)
        options=(
            '1: :(train compare tune learners score predict embed index search explain eval images documents vectors faces codebook tag feedback learn remove duplicates serve text persons name info convert split check export verify-export reproduce synth help version solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag qpao lmnn-diag loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego mahalanobis pca lda itml s3ml s2ml sdml lmnn nca lrml perceptron group-perceptron logistic kernel-ridge blend cca arc-t symm svm-t hfa rsl tfidf fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel mildml cgmm lr-svm)'
            '--all[all options of the command, not only those that most users need]'
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    version)
        options=(
            '--seed=[seed of the random numbers; the same seed gives the same bytes]:N: '
            '--threads=[cores to use; results do not depend on it]:N: '
            '--quiet[print results only\: no progress, no notes, no lines about files that were written; warnings and errors remain]'
            '--json[print one JSON object and nothing else on standard output; a failure prints {"error"\: ..., "exit"\: ...}]'
        )
        ;;
    esac
    _arguments $options '*:file:_files'
}

_akin "$@"
